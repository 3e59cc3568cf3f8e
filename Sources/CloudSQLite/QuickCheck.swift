import CloudSQL
import CloudStore

extension SQLiteEngine {
    /// The first things that are wrong with the order of a file, by `PRAGMA quick_check`. Reads all of the file, and
    /// compares no index with its table.
    package func quickCheck(_ path: String, most: Int = 5) throws -> [String] {
        let connection = try openForReading(path)
        defer { try? connection.close() }
        return try connection.read { db in
            try db.all("PRAGMA quick_check(\(most))") { $0.text(0) }.filter { $0 != "ok" }
        }
    }
}
