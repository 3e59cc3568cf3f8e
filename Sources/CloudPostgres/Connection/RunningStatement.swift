import CPostgres
import CloudSQL

/// A statement whose rows come from the server one by one, so that an answer of any size takes the memory of a row.
///
/// Where another statement runs before the last row was taken, those left are kept in memory.
final class RunningStatement {
    /// Rows between two questions whether they are still wanted: those that are there already keep nobody waiting.
    private static let asked = 512

    private var rows = 0
    private let link: PostgresHandle
    private let sql: String
    private let onStale: () -> Void
    private var kept: [PostgresResult] = []
    private var isDone = false
    /// Rows it has changed; nil where it is no statement that changes any.
    private(set) var changes: Int?

    /// - Parameter onStale: called when the server no longer takes the statement as it was prepared.
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

    /// Reads what is left, so that the connection is free.
    func keepRest() throws {
        var rows: [PostgresResult] = []
        while let row = try receive() { rows.append(row) }
        kept = rows.reversed() + kept
    }

    /// The same for rows that nobody wants.
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
