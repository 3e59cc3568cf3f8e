import CloudEngine
import CloudSQL

extension SQLiteEngine {
    /// The first faults found by `PRAGMA quick_check`, which reads the whole file without comparing indexes to their
    /// tables.
    package func quickCheck(_ path: String, most: Int = 5) throws -> [String] {
        let connection = try opener.openForReading(path)
        defer { try? connection.close() }
        return try connection.read { db in
            try db.all("PRAGMA quick_check(\(most))") { $0.text(0) }.filter { $0 != "ok" }
        }
    }
}
