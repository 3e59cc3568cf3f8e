import CloudEngine
import CloudSQL
import CloudSQLite
import Foundation

/// A folder for databases, deleted at the end.
final class ScratchFolder {
    let engine = SQLiteEngine(isSynced: false)
    private let path = NSTemporaryDirectory() + "cumulus-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes a closed database with a table of numbers.
    func make(_ name: String, _ numbers: [Int64]) throws -> String {
        let connection = try open(name, numbers)
        try connection.close()
        return path(name)
    }

    func open(_ name: String, _ numbers: [Int64] = []) throws -> any EngineConnection {
        let connection = try engine.opener.openForWriting(path(name))
        try connection.write { db in
            try db.script("CREATE TABLE IF NOT EXISTS numbers (number INTEGER)")
            for number in numbers { try Self.add(number, db) }
        }
        return connection
    }

    /// Makes a closed database whose numbers are in a log that a killed program left behind.
    func makeKilled(_ name: String, _ numbers: [Int64]) throws -> String {
        let connection = try open(name, numbers)
        for side in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path(name) + side, toPath: path("kept") + side)
        }
        try connection.close()
        try engine.locations.remove(path(name))
        for side in ["", "-wal"] {
            try FileManager.default.moveItem(atPath: path("kept") + side, toPath: path(name) + side)
        }
        return path(name)
    }

    static func add(_ number: Int64, _ db: SQLConnection) throws {
        try db.run("INSERT INTO numbers VALUES (?)", .integer(number))
    }

    static func numbers(_ connection: any EngineConnection) throws -> [Int64] {
        try connection.read { db in try db.all("SELECT number FROM numbers ORDER BY number") { $0.integer(0) } }
    }

    /// The numbers of a closed database.
    func numbers(_ name: String) throws -> [Int64] {
        let connection = try engine.opener.openForWriting(path(name))
        defer { try? connection.close() }
        return try Self.numbers(connection)
    }
}
