import CloudSQL
import CloudSQLite
import CloudStore
import Dispatch
import TestStore
import Testing

/// Sees one moment from when it is made until it is ended.
struct LongReader {
    private let connection: any EngineConnection
    private let ending = DispatchSemaphore(value: 0)

    /// - Parameter table: of the database, where it looks.
    init(_ path: String, table: String = "store") async throws {
        let (connection, ending) = (try SQLiteEngine().openForReading(path), ending)
        self.connection = connection
        try await withCheckedThrowingContinuation { (began: CheckedContinuation<Void, any Error>) in
            connection.start { db in
                do {
                    try db.run("BEGIN DEFERRED")
                    _ = try db.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
                } catch { return began.resume(throwing: error) }
                began.resume()
                ending.wait()
                do { try db.run("COMMIT") } catch { Issue.record(error) }
            }
        }
    }

    func end() throws {
        ending.signal()
        try connection.close()
    }
}
