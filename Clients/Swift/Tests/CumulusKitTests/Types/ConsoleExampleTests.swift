import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

/// What the console's page about the API of a type shows. A test of the server holds this file to it.
@Suite(.cumulus, .timeLimit(.minutes(1)))
struct ConsoleExampleTests {
    @Test("The console's example in Swift saves, finds, reads and deletes a record")
    func example() async throws {
        let database = CumulusTest.container.publicCloudDatabase
        let id = CKRecord.ID(recordName: "example")
        let record = CKRecord(recordType: "EveryKind", recordID: id)
        record["bytes"] = Data([1, 2, 3])
        record["bytesList"] = [Data([1, 2, 3])]
        record["double"] = 4.5
        record["doubles"] = [4.5]
        record["int64"] = 42
        record["int64s"] = [42]
        record["string"] = "some text"
        try await database.save(record)
        let query = CKQuery(recordType: "EveryKind", predicate: .field("string", .equal, "some text"))
        let page = try await database.records(matching: query, inZoneWith: .default)
        for (id, result) in page.matchResults { print(id.recordName, try result.get()) }
        let found = try await database.record(for: id)
        try await database.deleteRecord(withID: id)
        #expect(found.recordID == id)
    }
}
