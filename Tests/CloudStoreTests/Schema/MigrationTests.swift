import CloudModel
import GRDB
import Testing

@testable import CloudStore

struct MigrationTests {
    @Test func aFileOfANewerVersionIsRefused() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.close()
        let database = try DatabaseQueue(path: temporary.path)
        try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 of tomorrow')") }
        try database.close()
        let error = #expect(throws: NewerDatabase.self) { try temporary.open() }
        #expect(error?.description.contains("newer version") == true)
    }

    @Test func tokensAndTagsGoOnAfterReopening() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let first = try await temporary.store.modify([operation(.create, "a")]).tag()
        let token = try await temporary.store.changes().token
        try await temporary.store.close()
        let reopened = try temporary.open()
        #expect(try await reopened.changes(since: token).names == [])
        let second = try await reopened.modify([operation(.forceUpdate, "a")]).tag()
        let order = [first, second].compactMap { $0.flatMap { Int($0, radix: 36) } }
        #expect(order.count == 2 && order[0] < order[1])
        #expect(try await reopened.changes(since: token).names == ["a"])
    }
}
