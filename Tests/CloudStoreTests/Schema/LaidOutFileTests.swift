import CloudAccounts
import CloudEngine
import CloudSQL
import CloudSQLite
import Foundation
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// The databases that tests begin with are those that the migrations make.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct LaidOutFileTests {
    @Test("A copied records database equals a migrated one, except for its identity")
    func records() throws {
        let copied = try Self.records(with: TestEngine())
        let made = try Self.records(with: SQLiteEngine())
        #expect(copied.keys.sorted() == made.keys.sorted())
        for (table, rows) in made where table != "store" { #expect(copied[table] == rows, "\(table)") }
        #expect(copied["store"]?.count == 1)
    }

    @Test("No two copies share an identity")
    func identities() throws {
        let stores = try (0..<3).map { _ in try Self.records(with: TestEngine())["store"]?.first }
        for column in ["incarnation", "secret"] {
            let values = stores.compactMap { $0?[column] }
            #expect(values.count == 3 && Set(values).count == 3, "\(values)")
        }
        for column in ["id", "position", "catalog_version"] { #expect(Set(stores.map { $0?[column] }).count == 1) }
    }

    @Test("A copied accounts database equals a migrated one")
    func accounts() async throws {
        let copied = try await Self.accounts(with: TestEngine())
        let made = try await Self.accounts(with: SQLiteEngine())
        #expect(copied.keys.sorted() == made.keys.sorted())
        for (table, rows) in made { #expect(copied[table] == rows, "\(table)") }
    }

    @Test("An existing file or log is not overwritten by a copy")
    func existingFiles() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["empty", "empty-wal"] {
            #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
            let connection = try TestEngine().opener.openForWriting(folder + "/empty")
            #expect(try connection.use { try !$0.hasTable("store") })
            try connection.close()
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: "\(folder)/empty\(suffix)")
            }
        }
    }

    private typealias Tables = [String: [[String: String]]]

    private static func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private static func records(with engine: any StoreEngine) throws -> Tables {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let connection = try engine.opener.openForWriting(folder + "/records.sqlite")
        try Migrations.run(on: connection, name: folder + "/records.sqlite")
        let tables = try connection.read(Self.tables)
        try connection.close()
        return tables
    }

    private static func accounts(with engine: any StoreEngine) async throws -> Tables {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let accounts = try AccountStore(folder: DataFolder(path: folder, engine: engine))
        let tables = try await accounts.database.pool.read { try Self.tables($0) }
        try accounts.close()
        return tables
    }

    /// The rows of every table, those of the catalog among them, with each value as SQL text. A virtual table's are in
    /// the tables that it is made of.
    private static func tables(_ db: SQLConnection) throws -> Tables {
        let names = try db.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        ) { $0.text(0) }
        var tables: Tables = [:]
        for name in names + ["sqlite_master"] {
            let columns = try db.all("SELECT name FROM pragma_table_info(?)", .text(name)) { $0.text(0) }
                // Where the pages are that a table begins at depends on what was there before.
                .filter { !(name == "sqlite_master" && $0 == "rootpage") }
            let values = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
            tables[name] = try db.all("SELECT \(values) FROM \"\(name)\" ORDER BY \(values)") { row in
                Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, row.text($0)) })
            }
        }
        return tables
    }
}
