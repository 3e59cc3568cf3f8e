import CloudModel
import GRDB

/// How far an import has come, kept in the file it fills, in the transactions that fill it.
struct ImportCursor: Hashable, Sendable {
    /// Lists, and files of the list, that are done.
    var list = 0
    var file = 0
    /// Lines of the file that are done.
    var line = 0

    private static let table = "import_progress"

    /// - Returns: nil before anything was taken in.
    /// - Throws: ``Stranger`` when what is there came from another export.
    static func load(_ export: ExportManifest, _ db: Database) throws -> ImportCursor? {
        guard try db.tableExists(table) else { return nil }
        return try db.first("SELECT manifest, list, file, line FROM \(table)") { row in
            guard row.blob(0) == export.json else { throw Stranger() }
            return ImportCursor(list: Int(row.integer(1)), file: Int(row.integer(2)), line: Int(row.integer(3)))
        }
    }

    static func begin(_ export: ExportManifest, _ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE \(table) (
                    manifest BLOB NOT NULL, list INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL
                )
                """)
        try db.run("INSERT INTO \(table) VALUES (?, 0, 0, 0)", .blob(export.json))
    }

    func save(_ db: Database) throws {
        try db.run(
            "UPDATE \(Self.table) SET list = ?, file = ?, line = ?", .integer(Int64(list)), .integer(Int64(file)),
            .integer(Int64(line)))
    }

    /// Takes back what was noted for the import's own sake.
    ///
    /// - Returns: whether it was this export that has been taken in here.
    static func end(_ export: ExportManifest, _ db: Database) throws -> Bool {
        guard try load(export, db) != nil else { return false }
        try db.execute(sql: "DROP TABLE \(table)")
        return true
    }

    struct Stranger: Error {}
}
