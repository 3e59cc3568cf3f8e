import CloudSQL
import GRDBSQLite

/// A second connection to a database file, which checkpoints its log. Used by one thread at a time.
struct LogCopier: ~Copyable {
    struct Failure: Error {
        let error: SQLError
        /// True if a sync failed. The system reports a failed sync only once, and may have dropped unwritten pages.
        let isDoubtful: Bool

        init(_ code: Int32, _ connection: OpaquePointer?) {
            let message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "code \(code)"
            error = SQLError(.init(code), "the log cannot be brought back: \(message)")
            let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
            isDoubtful = [code, extended].contains(SQLITE_IOERR | 4 << 8)
        }
    }

    struct Pass {
        /// Log frames now in the database file.
        let copied: Int
        /// True if another connection was checkpointing.
        var isBusy = false
    }

    /// Bytes copied between two syncs of the file, because a commit's sync of the log waits behind them.
    private static let piece = 1 << 20

    private let path: String
    private var connection: OpaquePointer?
    /// The write hook of the open connection.
    private var writes: PacedWrites?
    private(set) var isOpen = true

    /// Syncs during copying so far.
    var syncs: Int { writes?.syncs ?? 0 }

    /// Opens the connection on first use.
    init(_ path: String) { self.path = path }

    deinit { sqlite3_close(connection) }

    mutating func close() {
        sqlite3_close(connection)
        connection = nil
        writes = nil
        isOpen = false
    }

    /// Runs a passive checkpoint: copies frames that no older snapshot needs, without blocking anyone.
    ///
    /// SQLite syncs the log first. It syncs the file only after copying the whole log.
    static func pass(on connection: OpaquePointer) throws(Failure) -> Pass {
        var (frames, copied) = (Int32(0), Int32(0))
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied)
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw Failure(code, connection) }
        return Pass(copied: Int(copied), isBusy: code == SQLITE_BUSY)
    }

    /// Like ``pass(on:)``, then syncs the file in any case, so that the writer has little left to sync.
    mutating func passAndSync() throws(Failure) -> Pass {
        let connection = try opened()
        let pass = try Self.pass(on: connection)
        let code = DatabaseFile.sync(connection)
        guard code == SQLITE_OK else { throw Failure(code, nil) }
        return pass
    }

    /// Truncates the log unless readers or writers are active. A log larger than `most` bytes is copied but not
    /// truncated.
    ///
    /// - Returns: whether the log is empty.
    mutating func giveBack(upTo most: Int64) throws(Failure) -> Bool {
        let connection = try opened()
        // The passive pass does most work without blocking new writers; the truncating pass is then short.
        _ = try passAndSync()
        if let size = try DatabaseLog(of: connection)?.size(), size > most { return false }
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw Failure(code, connection) }
        return code == SQLITE_OK
    }

    struct Cut {
        var isCut = false
        /// True if bytes remain to be cut off.
        var isMore = false
    }

    /// Truncates a restarted log by one piece, if the log exceeds both `limit` and its valid frames. Writers wait
    /// meanwhile, so the piece must be small.
    mutating func shorten(to limit: Int64, by piece: Int64) throws(Failure) -> Cut {
        let connection = try opened()
        guard let log = DatabaseLog(of: connection), try log.size() > limit else { return Cut() }
        // Do not wait: the log must be copied meanwhile, and a busy writer rarely releases the lock.
        let begun = sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
        if begun == SQLITE_BUSY { return Cut(isMore: true) }
        guard begun == SQLITE_OK else { throw Failure(begun, connection) }
        defer { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
        // The write lock stops new frames, so bytes past the last commit belong to the previous log.
        guard let header = LogHeader(of: connection) else { return Cut() }
        return try log.cut(to: max(limit, header.logBytes()), by: piece)
    }

    private mutating func opened() throws(Failure) -> OpaquePointer {
        if let connection { return connection }
        var new: OpaquePointer?
        var code = sqlite3_open_v2(path, &new, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        // Other modes skip syncing the log before a copy, or the file afterwards.
        if code == SQLITE_OK { code = sqlite3_exec(new, "PRAGMA synchronous = FULL", nil, nil, nil) }
        guard code == SQLITE_OK, let new else {
            let failure = Failure(code, new)
            sqlite3_close(new)
            throw failure
        }
        connection = new
        writes = PacedWrites(on: new, piece: Self.piece)
        return new
    }
}
