import CloudEngine
import GRDBSQLite

/// A dedicated connection that detects credential changes by any process.
///
/// Every commit changes the header of the WAL index, in memory shared by all processes. After a header change, `PRAGMA
/// data_version` detects commits of other connections (sqlite.org/pragma.html#pragma_data_version); after a version
/// change, the `revision` row is read, which extending a session leaves unchanged. Uses the C interface because the
/// check runs once per request.
///
/// Not thread-safe: ``AccountStore`` calls it under a lock.
final class AccountRevision: AccountsProbe {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let connection: OpaquePointer
    private let dataVersion: OpaquePointer
    private let revision: OpaquePointer
    private var header: LogHeader?
    private var last: (header: LogHeader.Bytes?, dataVersion: Int64, revision: AccountsRevision)?

    init(path: String) throws {
        var connection: OpaquePointer?
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let connection
        else {
            sqlite3_close(connection)
            throw Failure(description: "cannot open \(path)")
        }
        sqlite3_busy_timeout(connection, 10_000)
        do {
            dataVersion = try Self.prepare("PRAGMA data_version", on: connection)
            revision = try Self.prepare("SELECT value, additions FROM revision", on: connection)
        } catch {
            sqlite3_close_v2(connection)
            throw error
        }
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(dataVersion)
        sqlite3_finalize(revision)
        sqlite3_close(connection)
    }

    /// Nil: ``current()`` always knows the revision, in microseconds.
    var source: (any RevisionSource)? { nil }

    func current() throws -> AccountsRevision? {
        // Read the cheaper check first: a commit between two reads is then found by the next call.
        let header = header?.read()
        if let last, let header, header == last.header { return last.revision }
        let version = try step(dataVersion) { sqlite3_column_int64($0, 0) }
        let known = last.flatMap { $0.dataVersion == version ? $0.revision : nil }
        let revision =
            try known
            ?? step(revision) {
                AccountsRevision(changes: sqlite3_column_int64($0, 0), additions: sqlite3_column_int64($0, 1))
            }
        last = (header, version, revision)
        if self.header == nil { self.header = LogHeader(of: connection) }
        return revision
    }

    /// Not needed: each ``current()`` checks for changes.
    func readAnew() {}

    private func step<T>(_ statement: OpaquePointer, _ read: (OpaquePointer) -> T) throws -> T {
        defer { sqlite3_reset(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else {
            throw Failure(description: "accounts: \(String(cString: sqlite3_errmsg(connection)))")
        }
        return read(statement)
    }

    private static func prepare(_ sql: String, on connection: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw Failure(description: "accounts: \(String(cString: sqlite3_errmsg(connection)))")
        }
        return statement
    }
}
