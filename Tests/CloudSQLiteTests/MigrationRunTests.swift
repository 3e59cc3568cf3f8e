import CloudEngine
import CloudSQL
import CloudSQLite
import Synchronization
import Testing

/// Migrations of a file, by connection and by pool.
@Suite(.timeLimit(.minutes(5)))
struct MigrationRunTests {
    private struct Stop: Error {}

    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test("Each migration runs once, in order") func order() throws {
        let ran = Mutex<[String]>([])
        let list = ["a", "b", "c"].map { name in Migration(name) { _ in ran.withLock { $0.append(name) } } }
        let connection = try folder.open("a.sqlite")
        try connection.migrate(Array(list.prefix(1)))
        try connection.migrate(list)
        try connection.migrate(list)
        #expect(ran.withLock { $0 } == ["a", "b", "c"])
        #expect(try connection.migrationNames() == ["a", "b", "c"])
        try connection.close()
    }

    @Test("A failed migration leaves nothing, and runs again") func failure() throws {
        let connection = try folder.open("a.sqlite")
        #expect(throws: Stop.self) {
            try connection.migrate([
                Migration("a") { db in
                    try ScratchFolder.add(1, db)
                    throw Stop()
                }
            ])
        }
        #expect(try ScratchFolder.numbers(connection).isEmpty && connection.migrationNames().isEmpty)
        try connection.migrate([Migration("a") { try ScratchFolder.add(2, $0) }])
        #expect(try ScratchFolder.numbers(connection) == [2])
        try connection.close()
    }

    @Test("A file with an unknown migration is refused by connection and pool") func newer() throws {
        let old = [Migration("a") { _ in }]
        let connection = try folder.open("a.sqlite")
        try connection.migrate(old + [Migration("later") { _ in }])
        let refusal = #expect(throws: NewerSchema.self) { try connection.migrate(old) }
        #expect(refusal?.unknown == ["later"])
        try connection.close()
        let pool = try folder.engine.opener.openAccounts(folder.path("accounts.sqlite"))
        try pool.migrate(old + [Migration("later") { _ in }])
        #expect(throws: NewerSchema.self) { try pool.migrate(old) }
        try pool.close()
    }

    @Test("A pool rolls a transaction that throws back, and its readers see the last commit") func pool() async throws {
        let pool = try folder.engine.opener.openAccounts(folder.path("accounts.sqlite"))
        try pool.migrate([Migration("a", "CREATE TABLE numbers (number INTEGER)")])
        try await pool.write { try ScratchFolder.add(1, $0) }
        await #expect(throws: Stop.self) {
            try await pool.write { db in
                try ScratchFolder.add(2, db)
                throw Stop()
            }
        }
        try pool.writeBlocking { try ScratchFolder.add(3, $0) }
        #expect(try await pool.read { db in try db.all("SELECT number FROM numbers") { $0.integer(0) } } == [1, 3])
        try pool.close()
    }
}
