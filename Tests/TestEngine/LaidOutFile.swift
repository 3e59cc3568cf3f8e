import CloudAccounts
import CloudEngine
import CloudSQL
import CloudSQLite
import CloudStore
import Foundation

/// The bytes of a database that has had all migrations and nothing else, made once in a process.
struct LaidOutFile {
    static let records = Result {
        try LaidOutFile { folder in
            let path = folder + "/records.sqlite"
            let connection = try SQLiteEngine(isSynced: false).opener.openForWriting(path)
            try Migrations.run(on: connection, name: path)
            try connection.close()
            return path
        }
    }

    static let accounts = Result {
        try LaidOutFile { path in
            let folder = try DataFolder(path: path, engine: SQLiteEngine(isSynced: false))
            try AccountStore(folder: folder).close()
            return folder.accountsFile
        }
    }

    private struct Unfinished: Error {
        let path: String
    }

    private let bytes: Data

    /// - Parameter layOut: makes the database in a folder and gives its path.
    private init(_ layOut: (_ folder: String) throws -> String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = try layOut(folder)
        guard !FileManager.default.fileExists(atPath: path + "-wal") else { throw Unfinished(path: path) }
        bytes = try Data(contentsOf: URL(filePath: path))
    }

    /// Writes the file, unless the path has one already or the log of one.
    ///
    /// - Returns: whether it did.
    @discardableResult
    func copy(to path: String) throws -> Bool {
        guard !["", "-wal"].contains(where: { FileManager.default.fileExists(atPath: path + $0) }) else { return false }
        try bytes.write(to: URL(filePath: path), options: .withoutOverwriting)
        return true
    }

    /// Gives a copy of the records' file the identity that the first migration draws for each.
    static func renew(_ db: SQLConnection) throws {
        var generator = SystemRandomNumberGenerator()
        try db.run(
            "UPDATE store SET incarnation = ?, secret = randomblob(32)",
            .integer(Int64.random(in: 1 ... .max, using: &generator)))
    }
}
