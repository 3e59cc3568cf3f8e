import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

/// Commands on all users' records, as an operator or as a user's app.
struct RecordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "records", abstract: "List, query, create, update, delete and import records.",
        discussion: """
            Without --as records are looked at and changed as an operator: a look at somebody's private records leaves a \
            line in the audit log, and so does every change. With --as they are those that this person sees, with what \
            this person may do, on a development server.
            """,
        subcommands: [
            List.self, Show.self, QueryRecords.self, GetRecords.self, CreateRecord.self, UpdateRecord.self,
            DeleteRecords.self, ImportRecords.self, ModifyRecords.self,
        ])

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List a type's records in a zone, in the order they were made, as an operator.")
        @OptionGroup var place: RecordsOptions
        @Option(help: "The record type.") var type: String
        @Option(help: "Records at most.") var limit = 100
        @Option(help: "The place where the page before ended, as it says.") var after: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .records(
                try await operations.run(
                    RecordOperations.list,
                    try place.operatorArguments([
                        "type": .string(type), "limit": .integer(Int64(limit)), "after": .text(after),
                    ])))
        }
    }

    struct Show: ManagementCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show one record, and what refers to it, as an operator.")
        @OptionGroup var place: RecordsOptions
        @Option(help: "The record's name.") var name: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let info = try await operations.run(
                RecordOperations.show, try place.operatorArguments(["recordName": .string(name)]))
            return Report(JSONValue(answer: info).text, answer: info)
        }
    }
}

extension Report {
    /// A report with a line per record.
    static func records(_ page: RecordList) -> Report {
        Report(
            page.records.isEmpty ? "There are no such records." : page.records.map(\.text).joined(separator: "\n"),
            remark: page.next.map { "There are more: --after '\($0)'" }, answer: page)
    }

    /// The results of a change, a line per record.
    ///
    /// - Throws: exit code 1 if an operation was refused, after printing the report.
    static func changed(_ records: [JSONValue], _ output: OutputOptions) throws -> Report {
        let report = Report(records.map(\.text).joined(separator: "\n"), answer: ModifiedRecords(records: records))
        guard records.contains(where: { $0.object?["serverErrorCode"] != nil }) else { return report }
        report.print(asJSON: output.json)
        throw ExitCode.failure
    }
}

extension JSONValue {
    /// JSON on a single line.
    var text: String {
        var writer = JSONWriter()
        writer.value(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func object(_ members: [String: JSONValue]) -> JSONValue {
        .object(JSONObject(members.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) }))
    }

    init(typed text: String) throws {
        do { self = try JSONParser.parse(Array(text.utf8)) } catch {
            throw Complaint("not valid JSON: \(error.reason)")
        }
    }
}
