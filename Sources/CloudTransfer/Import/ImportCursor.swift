import CloudModel
import CloudCrypto
import CloudSQL
import CloudStore

/// The progress of an import, saved in the same transactions as the imported lines.
struct ImportCursor: Hashable, Sendable {
    /// Indexes of the list and of its file, both from 0, and the number of lines imported from that file.
    private(set) var list = 0
    private(set) var file = 0
    private(set) var line = 0
    /// A running digest of all lines so far, by which an import resumes only with the same lines.
    private(set) var digest: [UInt8]

    /// The start of an export.
    init(_ export: ImportIdentity) { digest = export.digest }

    mutating func begin(list: Int, file: Int) {
        (self.list, self.file, line) = (list, file, 0)
    }

    /// Advances past lines of the current file.
    mutating func pass(_ lines: [[UInt8]]) {
        var hash = SHA256()
        hash.update(data: digest)
        for line in lines {
            hash.update(data: line)
            hash.update(data: [UInt8(ascii: "\n")])
        }
        digest = Array(hash.finalize())
        line += lines.count
    }

    func isBefore(_ other: ImportCursor) -> Bool {
        (list, file, line) < (other.list, other.file, other.line)
    }

    // MARK: As stored

    private static let table = "import_progress"

    /// - Returns: nil before the import began.
    /// - Throws: ``Stranger`` when the progress is of another export.
    static func load(_ export: ImportIdentity, _ db: SQLConnection) throws -> ImportCursor? {
        guard try db.hasTable(table) else { return nil }
        return try db.first("SELECT export, list, file, line, digest FROM \(table)") { row in
            guard row.blob(0) == export.digest else { throw Stranger() }
            var cursor = ImportCursor(export)
            cursor.list = Int(row.integer(1))
            cursor.file = Int(row.integer(2))
            cursor.line = Int(row.integer(3))
            cursor.digest = row.blob(4)
            return cursor
        }
    }

    /// Creates the progress table for a new import.
    static func begin(_ export: ImportIdentity, _ db: SQLConnection) throws -> ImportCursor {
        let numbers = "list BIGINT NOT NULL, file BIGINT NOT NULL, line BIGINT NOT NULL"
        try db.script(
            Layout(
                sqlite: "CREATE TABLE \(table) (export BLOB NOT NULL, \(numbers), digest BLOB NOT NULL)",
                postgres: "CREATE TABLE \(table) (export BYTEA NOT NULL, \(numbers), digest BYTEA NOT NULL)"))
        try db.run("INSERT INTO \(table) VALUES (?, 0, 0, 0, ?)", .blob(export.digest), .blob(export.digest))
        return ImportCursor(export)
    }

    func save(_ db: SQLConnection) throws {
        try db.run(
            "UPDATE \(Self.table) SET list = ?, file = ?, line = ?, digest = ?", .integer(Int64(list)),
            .integer(Int64(file)), .integer(Int64(line)), .blob(digest))
    }

    /// Drops the progress table.
    ///
    /// - Returns: whether the table named this export.
    static func end(_ export: ImportIdentity, _ db: SQLConnection) throws -> Bool {
        guard try db.hasTable(table) else { return false }
        let known = try db.first("SELECT export FROM \(table)") { $0.blob(0) }
        try db.script("DROP TABLE \(table)")
        return known == export.digest
    }

    /// Thrown when the imported data differs from the export.
    struct Stranger: Error {}
}
