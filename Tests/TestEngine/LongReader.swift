import CloudEngine
import CloudSQL
import CloudSQLite
import Dispatch
import Testing

/// A read transaction that lasts until ``end()``.
package struct LongReader {
    private let connection: any EngineConnection
    private let ending = DispatchSemaphore(value: 0)

    /// - Parameter table: the table that it reads first.
    package init(_ path: String, table: String = "store") async throws {
        let (connection, ending) = (try SQLiteEngine().opener.openForReading(path), ending)
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

    package func end() throws {
        ending.signal()
        try connection.close()
    }
}
