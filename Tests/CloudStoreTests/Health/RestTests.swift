import CSQLiteMemory
import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// What SQLite keeps in memory.
@Suite(.timeLimit(.minutes(5)))
struct RestTests {
    @Test("An idle connection frees its memory once, and again after its next use")
    func rest() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let statements = Statements()
        let folder = try DataFolder(path: path, engine: statements.engine)
        let accounts = try AccountStore(folder: folder)
        let stores = ContainerStores(folder: folder, accounts: accounts, previews: nil)
        var containers: [Container] = []
        for name in ["a", "b"] { containers.append(try await accounts.containers.create(name: name)) }
        func store(_ index: Int) async throws -> EnvironmentStore {
            try await stores.store(container: containers[index], environment: .development)
        }
        for index in 0..<2 { _ = try await store(index).save("a") }

        // What was used is left alone.
        #expect(stores.freeMemory() == (isFreed: false, isWritten: true))
        _ = try await store(0).save("b")
        #expect(stores.freeMemory() == (isFreed: true, isWritten: true))
        #expect(stores.freeMemory() == (isFreed: true, isWritten: false))
        #expect(stores.freeMemory() == (isFreed: false, isWritten: false))
        // A read has nothing to do with the connection that writes.
        _ = try await store(0).zones.list(owner: "_mei")
        #expect(stores.freeMemory() == (isFreed: false, isWritten: false))
        #expect(stores.freeMemory() == (isFreed: true, isWritten: false))
        #expect(stores.freeMemory() == (isFreed: false, isWritten: false))
        // Behind what was started before.
        #expect(try await store(1).save("a") == .conflict)
        #expect(try await store(0).save("b") == .conflict)
        #expect(statements.rests == 2)
        try await stores.close()
    }

    @Test("SQLite's memory accounting is off") func memoryUncounted() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let connection = try SQLiteEngine(isSynced: false).opener.openForWriting(path)
        try connection.write { try $0.script("CREATE TABLE numbers (number INTEGER)") }
        #expect(sqlite3_memory_used() == 0)
        try connection.close()
    }

    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])

        var engine: SQLiteEngine {
            SQLiteEngine(onStatement: { sql in self.texts.withLock { $0.append(sql) } }, isSynced: false)
        }
        var rests: Int { texts.withLock { $0.count { $0 == "PRAGMA shrink_memory" } } }
    }
}
