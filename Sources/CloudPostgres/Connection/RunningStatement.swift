import CPostgres
import CloudSQL

/// A statement that streams rows from the server, so that memory use is one row at a time.
///
/// If another statement runs before the last row, the remaining rows are buffered.
final class RunningStatement {
    /// Rows between two cancellation checks; buffered rows need no wait.
    private static let asked = 512

    private var rows = 0
    private let link: PostgresHandle
    private let sql: String
    private let onStale: () -> Void
    private var kept: [PostgresResult] = []
    private var isDone = false
    /// Rows changed; nil for statements that change no rows.
    private(set) var changes: Int?

    /// - Parameter onStale: called when the server rejects the prepared statement as outdated.
    init(_ link: PostgresHandle, _ sql: String, onStale: @escaping () -> Void) {
        self.link = link
        self.sql = sql
        self.onStale = onStale
    }

    deinit { if !isDone { link.close() } }

    func next() throws -> SQLRow? {
        if let row = kept.popLast() { return SQLRow(PostgresColumns(result: row)) }
        return try receive().map { SQLRow(PostgresColumns(result: $0)) }
    }

    /// Buffers the remaining rows, which frees the connection.
    func keepRest() throws {
        var rows: [PostgresResult] = []
        while let row = try receive() { rows.append(row) }
        kept = rows.reversed() + kept
    }

    /// Discards the remaining rows, which frees the connection.
    func end() throws {
        kept = []
        while try receive() != nil {}
    }

    private func receive() throws -> PostgresResult? {
        while !isDone {
            let result: PostgresResult?
            do { result = try link.next(sql) } catch {
                isDone = true
                throw error
            }
            guard let result else {
                isDone = true
                break
            }
            if result.status == PGRES_SINGLE_TUPLE {
                rows += 1
                if rows.isMultiple(of: Self.asked) { try link.endUnlessWanted() }
                return result
            }
            changes = result.changes ?? changes
            if result.isError { try fail(result) }
        }
        return nil
    }

    private func fail(_ result: PostgresResult) throws {
        isDone = true
        let error = result.error(sql)
        while try link.next(sql) != nil {}
        if error.kind == .aborted { onStale() }
        throw error
    }
}
