@testable import CloudAccounts
import CloudEngine
import CloudSQL
import Foundation
import TestEngine
import Testing

@testable import CloudStore

/// The two scripts of each layout, compared by what they make.
@Suite(.timeLimit(.minutes(5)))
struct EngineLayoutTests {
    /// Tables that only one engine has: SQLite's indexes of words and places, and lists of migrations.
    private static func isOwn(_ table: String) -> Bool {
        ["words", "locations_tree", "grdb_migrations", "migrations"].contains { table.hasPrefix($0) }
    }

    @Test("A records database has the same tables, columns, keys, indexes and triggers on both engines")
    func records() throws {
        let layouts = try Self.layouts { engine in
            let path = Self.path()
            let connection = try engine.opener.openForWriting(path)
            defer { try? connection.close() }
            try Migrations.run(on: connection, name: path)
            return try connection.use { try Self.read($0, engine) }
        }
        var (sqlite, postgres) = layouts
        // PostgreSQL has a limit on the size of an index's entry, so its elements have an index over prefixes in place of
        // a key, and its places no tree.
        #expect(sqlite["elements"]?.primaryKey == ["field", "zone", "value", "record"])
        #expect(postgres["elements"]?.indexes.removeValue(forKey: "elements_value") == "field, zone, value, record")
        sqlite["elements"]?.primaryKey = []
        #expect(postgres["locations"]?.indexes.removeValue(forKey: "locations_point") != nil)
        try Self.compare(sqlite, postgres, lockedRow: "store")
    }

    @Test("The accounts have the same tables, columns, keys, indexes and triggers on both engines")
    func accounts() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let layouts = try Self.layouts { engine in
            let data = try DataFolder(path: folder + (engine.isPostgres ? "/p" : "/s"), engine: engine)
            let pool = try engine.opener.openAccounts(data.accountsFile)
            defer { try? pool.close() }
            try AccountMigrations.run(on: pool, in: data)
            return try pool.writeBlocking { try Self.read($0, engine) }
        }
        try Self.compare(layouts.sqlite, layouts.postgres, lockedRow: "revision")
    }

    private static func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "layout-\(UUID().uuidString).sqlite").path()
    }

    private static func layouts(
        _ read: (TestEngine) throws -> [String: TableLayout]
    ) throws -> (sqlite: [String: TableLayout], postgres: [String: TableLayout]) {
        (
            try read(TestEngine(isPostgres: false, copiesRecords: false)),
            try read(TestEngine(isPostgres: true, copiesRecords: false))
        )
    }

    private static func read(_ db: SQLConnection, _ engine: TestEngine) throws -> [String: TableLayout] {
        let layout = engine.isPostgres ? try LayoutReader(db: db).postgres() : try LayoutReader(db: db).sqlite()
        return layout.filter { !isOwn($0.key) }
    }

    private static func compare(
        _ sqlite: [String: TableLayout], _ postgres: [String: TableLayout], lockedRow: String
    ) throws {
        #expect(sqlite.keys.sorted() == postgres.keys.sorted())
        #expect(sqlite.count > 15)
        for (name, table) in sqlite {
            var other = try #require(postgres[name], "\(name)")
            // Columns of the row that PostgreSQL's writers lock.
            if name == lockedRow { other.columns.removeAll { $0.hasPrefix("groups ") || $0.hasPrefix("history ") } }
            #expect(table.columns == other.columns, "\(name)")
            #expect(table.primaryKey == other.primaryKey, "\(name)")
            #expect(table.unique == other.unique, "\(name)")
            #expect(table.indexes == other.indexes, "\(name)")
            #expect(table.foreignKeys == other.foreignKeys, "\(name)")
            #expect(table.checks == other.checks, "\(name)")
            #expect(table.triggers == other.triggers, "\(name)")
        }
    }
}
