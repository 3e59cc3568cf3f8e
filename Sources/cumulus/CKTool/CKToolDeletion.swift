import ArgumentParser
import CloudModel
import CloudOperations

/// `delete-record`.
struct CKToolDeleteRecord: AsyncParsableCommand {
    static let configuration = CKTool.configuration("delete-record", "Delete a record by its name.")
    @OptionGroup var database: CKToolDatabase
    @Option(help: "The record's name.") var recordName: String
    @Flag(name: [.short, .long], help: "Do not ask, as is never done here.") var yes = false
    @OptionGroup var access: AccessOptions

    func run() async throws {
        do {
            let records = try await database.place.records(access)
            let outcomes = try await records.modify([.operation("forceDelete", ["recordName": .string(recordName)])])
            try outcomes.requireSuccess()
            print(outcomes.map(\.text).joined(separator: "\n"))
        } catch {
            throw Complaint(error)
        }
    }
}

/// `delete-records`.
struct CKToolDeleteRecords: AsyncParsableCommand {
    static let configuration = CKTool.configuration(
        "delete-records", "Delete the records that filters find.",
        """
        With --dry-run true it prints the records and deletes none. Else it asks, and where nobody can answer it needs \
        --yes or --dry-run false.
        """)
    /// Records per request.
    private static let batch = 200

    @OptionGroup var database: CKToolDatabase
    @OptionGroup var query: CKToolQuery
    @Option(help: "true to print what would be deleted, false to delete it.") var dryRun: Bool?
    @Flag(name: [.short, .long], help: "Do not ask.") var yes = false
    @OptionGroup var access: AccessOptions

    func run() async throws {
        do {
            let records = try await database.place.records(access)
            let found = try await all(records)
            if dryRun == true { return Self.show(found) }
            try agree(to: found.count)
            let names = found.compactMap { $0.object?["recordName"]?.string }
            var outcomes: [JSONValue] = []
            for start in stride(from: 0, to: names.count, by: Self.batch) {
                let operations = names[start..<min(start + Self.batch, names.count)].map {
                    JSONValue.operation("forceDelete", ["recordName": .string($0)])
                }
                do { outcomes += try await records.modify(operations) } catch {
                    // Report completed deletions even if the rest failed.
                    if !outcomes.isEmpty { Self.show(outcomes) }
                    throw error
                }
            }
            Self.show(outcomes)
            try outcomes.requireSuccess()
        } catch {
            throw Complaint(error)
        }
    }

    /// All matching records at the start: without fields, or whole for a dry run.
    private func all(_ records: any RecordAccess) async throws -> [JSONValue] {
        var found: [JSONValue] = []
        var next: String?
        repeat {
            let page = try await records.query(try query.wire(), limit: Self.batch, after: next)
            found += dryRun == true ? page.records : page.records.map { $0.record(showing: []) }
            next = page.next
        } while next != nil
        return found
    }

    private func agree(to count: Int) throws {
        guard count > 0, !yes, dryRun != false else { return }
        guard Terminal.isInteractive else {
            throw Complaint(
                "\(Counted.text(count, "record")) would be deleted, and none was; add --yes or --dry-run false to confirm, or --dry-run "
                    + "true to see them")
        }
        guard Terminal.ask("Delete \(Counted.text(count, "record"))? Type yes to go on: ") == "yes" else {
            throw Complaint("nothing was deleted")
        }
    }

    private static func show(_ records: [JSONValue]) { print(JSONValue.members(["records": .array(records)]).text) }
}

extension [JSONValue] {
    /// - Throws: ``Complaint`` about the first failed operation.
    func requireSuccess() throws {
        guard let failed = first(where: { $0.object?["serverErrorCode"] != nil })?.object else { return }
        let code = failed["serverErrorCode"]?.string ?? ""
        throw Complaint("\(failed["recordName"]?.string ?? "a record"): \(code), \(failed["reason"]?.string ?? "")")
    }
}
