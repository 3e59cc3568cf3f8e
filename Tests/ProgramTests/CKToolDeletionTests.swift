import CloudModel
import Foundation
import NIOHTTP1
import Synchronization
import TestAssets
import Testing

/// `delete-records` where one request does not take all that it finds.
@Suite(.timeLimit(.minutes(10)))
struct CKToolDeletionTests {
    private static let options = [
        "delete-records", "--team-id", "ABCDE12345", "--container-id", "c", "--environment", "development",
        "--database-type", "public", "--record-type", "Item", "--dry-run", "false",
    ]
    private let cumulus: Program

    init() throws { cumulus = try Program() }

    @Test("More records than one request takes are all deleted and reported in one answer")
    func batches() async throws {
        #expect(try await cumulus("container", "create", "c").status == 0)
        let schema = try cumulus.file(
            "items.ckdb",
            """
            DEFINE SCHEMA
                RECORD TYPE Item (
                    "___recordID" REFERENCE QUERYABLE, n INT64,
                    GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
                );

            """)
        #expect(
            try await cumulus("schema", "import", "c", "--file", schema.path()).status == 0)
        let lines = (0..<450).map { #"{"recordType":"Item","recordName":"i\#($0)","fields":{"n":\#($0)}}"# }
        let file = try cumulus.file("items.jsonl", lines.joined(separator: "\n")).path()
        #expect(try await cumulus("records", "import", "c", file).status == 0)
        let deleted = try await cumulus.run(Self.options + ["--data", cumulus.data])
        #expect(deleted.status == 0, "\(deleted)")
        let told = try deleted.json.object?["records"]?.array ?? []
        #expect(Set(told.compactMap { $0.object?["recordName"]?.string }).count == 450)
        #expect(told.allSatisfy { $0.object?["deleted"] == .bool(true) })
        let again = try await cumulus.run(Self.options + ["--data", cumulus.data])
        #expect(try again.status == 0 && again.json.object?["records"]?.array?.isEmpty == true, "\(again)")
    }

    @Test("When the second request fails, deleted records are reported and the exit code is 1")
    func failedBatch() async throws {
        let changes = Mutex(0)
        let names = (0..<250).map { "i\($0)" }
        let server = try await FaultyStore { request, _ in
            let isChange = request.uri.contains("/records/modify")
            let number = changes.withLock { changes in
                if isChange { changes += 1 }
                return changes
            }
            guard number < 2 else { return Self.answer(503, #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"full"}"#) }
            let some = isChange ? names.prefix(200) : names[...]
            let records = some.map { #"{"recordName":"\#($0)"\#(isChange ? #","deleted":true"# : "")}"# }
            return Self.answer(200, #"{"records":[\#(records.joined(separator: ","))]}"#)
        }
        let outcome = try await cumulus.run(
            Self.options + ["--server", server.endpoint],
            environment: ["CUMULUS_MANAGEMENT_TOKEN": String(repeating: "0", count: 64)])
        #expect(outcome.status == 1 && outcome.errors.contains("full"), "\(outcome.errors)")
        let told = try outcome.json.object?["records"]?.array ?? []
        #expect(told.compactMap { $0.object?["recordName"]?.string } == Array(names.prefix(200)))
        try await server.close()
    }

    private static func answer(_ status: Int, _ body: String) -> FaultyStore.Answer {
        FaultyStore.Answer(status, headers: [("content-type", "application/json")], body: body)
    }
}
