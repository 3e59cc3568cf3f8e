import ArgumentParser
import CloudModel
import CloudOperations

/// The query options of `query-records` and `delete-records`.
struct CKToolQuery: ParsableArguments {
    @Option(help: "The record type.") var recordType: String
    @Option(parsing: .upToNextOption, help: "Filters such as 'stars > 3', all of which hold.") var filters: [String] =
        []

    /// The query in the client API's form.
    ///
    /// - Parameter sorts: fields, each with `ASC` or `DESC` appended or as the next element.
    func wire(sortedBy sorts: [String] = []) throws -> JSONObject {
        var joined: [String] = []
        for sort in sorts {
            if ["ASC", "DESC"].contains(sort.uppercased()), let last = joined.popLast() {
                joined.append("\(last) \(sort)")
            } else {
                joined.append(sort)
            }
        }
        return JSONObject([
            .init(key: "recordType", value: .string(recordType)),
            .init(key: "filterBy", value: .array(try filters.map(WrittenQuery.filter))),
            .init(key: "sortBy", value: .array(try joined.map(WrittenQuery.sort))),
        ])
    }
}

/// `query-records`.
struct CKToolQueryRecords: AsyncParsableCommand {
    static let configuration = CKTool.configuration(
        "query-records", "Find records, and print one JSON object with records and a continuationToken.",
        "There is a continuationToken while there are more records; --continuation-token goes on from it.")
    @OptionGroup var database: CKToolDatabase
    @OptionGroup var query: CKToolQuery
    @Option(parsing: .upToNextOption, help: "Fields to sort by, each with ASC or DESC.") var sortBy: [String] = []
    @Option(parsing: .upToNextOption, help: "The fields to print; all without.") var requestedFields: [String] = []
    @Option(help: "Records at most.") var limit = 200
    @Option(help: "The continuationToken of the page before.") var continuationToken: String?
    @OptionGroup var access: AccessOptions

    func run() async throws {
        do {
            let page = try await database.place.records(access)
                .query(try query.wire(sortedBy: sortBy), limit: limit, after: continuationToken)
            let fields = requestedFields
            let records = fields.isEmpty ? page.records : page.records.map { $0.record(showing: fields) }
            print(JSONValue.members(["records": .array(records), "continuationToken": .text(page.next)]).text)
        } catch {
            throw Complaint(error)
        }
    }
}
