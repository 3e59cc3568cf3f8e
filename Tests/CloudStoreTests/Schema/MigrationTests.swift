import CloudEngine
import CloudModel
import CloudSQLite
import TestEngine
import TestStore
import Testing

@testable import CloudStore

@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct MigrationTests {
    @Test("A file of a newer version is refused") func newerVersion() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.close()
        let connection = try SQLiteEngine().opener.openForWriting(temporary.path)
        try connection.migrate(Migrations.all + [Migration("999 of tomorrow") { _ in }])
        try connection.close()
        let error = #expect(throws: NewerDatabase.self) { try temporary.open() }
        #expect(error?.description.contains("newer version") == true)
    }

    @Test("Sync tokens and change tags continue after the store is reopened") func reopening() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let first = try await temporary.store.modify([operation(.create, "a")]).tag()
        let token = try await temporary.store.changes().token
        try await temporary.store.close()
        let reopened = try temporary.open()
        #expect(try await reopened.changes(since: token).names == [])
        let second = try await reopened.modify([operation(.forceUpdate, "a")]).tag()
        let order = [first, second].compactMap { $0.flatMap { ChangeTag.position($0) } }
        #expect(order.count == 2 && order[0] < order[1])
        #expect(try await reopened.changes(since: token).names == ["a"])
    }
}
