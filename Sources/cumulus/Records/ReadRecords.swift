import ArgumentParser
import CloudModel
import CloudOperations

/// A command on records, for operators or, with `--as`, a user's app.
protocol RecordsSubcommand: AsyncParsableCommand {
    var place: RecordsOptions { get }
    var access: AccessOptions { get }
    var output: OutputOptions { get }
    func perform(on records: any RecordAccess) async throws -> Report
}

extension RecordsSubcommand {
    func run() async throws {
        do {
            try await perform(on: try await place.place.records(access)).print(asJSON: output.json)
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw Complaint(error)
        }
    }
}

/// `cumulus records query`.
struct QueryRecords: RecordsSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Find records by filters, or by a query as clients send it.",
        discussion: """
            A filter is a field, a comparator and a value: 'stars > 3', 'title BEGINS_WITH Mi', 'due >= 2030-01-31', \
            'place NEAR 48.1,11.6,5000' with metres, 'tags LIST_CONTAINS red', 'stars IN [1, 2]'.
            """)
    @OptionGroup var place: RecordsOptions
    @Argument(help: "Instead of the options: the query's JSON, with recordType, filterBy and sortBy.") var query:
        String?
    @Option(help: "The record type.") var type: String?
    @Option(name: [.customLong("filter")], parsing: .upToNextOption, help: "Filters, all of which hold.")
    var filters: [String] = []
    @Option(name: [.customLong("sort")], parsing: .upToNextOption, help: "Fields to sort by, each with ASC or DESC.")
    var sorts: [String] = []
    @Option(name: [.customLong("field")], parsing: .upToNextOption, help: "The fields to print; all without.")
    var fields: [String] = []
    @Option(help: "Records at most.") var limit = 100
    @Option(help: "The place where the page before ended, as it says.") var after: String?
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (query == nil) != (type == nil) else { throw ValidationError("name a --type, or give a query's JSON") }
        if query != nil, !filters.isEmpty || !sorts.isEmpty {
            throw ValidationError("--filter and --sort need --type; a query's JSON has filters of its own")
        }
    }

    func perform(on records: any RecordAccess) async throws -> Report {
        let page = try await records.query(try wire(), limit: limit, after: after)
        guard !fields.isEmpty else { return .records(page) }
        return .records(RecordList(records: page.records.map { $0.record(showing: fields) }, next: page.next))
    }

    private func wire() throws -> JSONObject {
        if let query {
            guard let object = try JSONValue(typed: query).object else {
                throw Complaint("a query must be a JSON object")
            }
            return object
        }
        return JSONObject([
            .init(key: "recordType", value: .string(type ?? "")),
            .init(key: "filterBy", value: .array(try filters.map(WrittenQuery.filter))),
            .init(key: "sortBy", value: .array(try sorts.map(WrittenQuery.sort))),
        ])
    }
}

extension JSONValue {
    /// The record, reduced to these fields.
    func record(showing fields: [String]) -> JSONValue {
        guard let object else { return self }
        return .object(
            JSONObject(
                object.members.map { member in
                    guard member.key == "fields", let all = member.value.object else { return member }
                    let kept = all.members.filter { fields.contains($0.key) }
                    return .init(key: "fields", value: .object(JSONObject(kept)))
                }))
    }
}

/// `cumulus records get`.
struct GetRecords: RecordsSubcommand {
    static let configuration = CommandConfiguration(commandName: "get", abstract: "Print records by their names.")
    @OptionGroup var place: RecordsOptions
    @Argument(help: "The records' names.") var names: [String]
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func perform(on records: any RecordAccess) async throws -> Report {
        try .changed(try await records.lookup(names), output)
    }
}
