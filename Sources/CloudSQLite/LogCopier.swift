import CloudSQL
import GRDBSQLite

/// A second connection to a file, which brings back the file's log. Used by one thread at a time.
struct LogCopier: ~Copyable {
    struct Failure: Error {
        let error: SQLError
        /// True if a sync has failed. The system reports a failure once, and may have dropped what it could not write.
        let isDoubtful: Bool

        init(_ code: Int32, _ connection: OpaquePointer?) {
            let message = connection.map { String(cString: sqlite3_errmsg($0)) } ?? "code \(code)"
            error = SQLError(.init(code), "the log cannot be brought back: \(message)")
            let extended = connection.map { sqlite3_extended_errcode($0) } ?? code
            isDoubtful = [code, extended].contains(SQLITE_IOERR | 4 << 8)
        }
    }

    struct Pass {
        /// Frames of the log that are in the file now.
        let copied: Int
        /// True if somebody else was copying.
        var isBusy = false
    }

    /// Bytes that are copied between two syncs of the file: a commit's sync of the log waits for those before it.
    private static let piece = 1 << 20

    private let path: String
    private var connection: OpaquePointer?
    /// The connection's, as long as that is open.
    private var writes: PacedWrites?
    private(set) var isOpen = true

    /// Syncs of the file in the middle of what was copied, so far.
    var syncs: Int { writes?.syncs ?? 0 }

    /// Opens nothing yet.
    init(_ path: String) { self.path = path }

    deinit { sqlite3_close(connection) }

    mutating func close() {
        sqlite3_close(connection)
        connection = nil
        writes = nil
        isOpen = false
    }

    /// Copies what the log holds as far as nobody reads an older state, without having anybody wait.
    ///
    /// Syncs the log before. The file it syncs only when that was all there is.
    static func pass(on connection: OpaquePointer) throws(Failure) -> Pass {
        var (frames, copied) = (Int32(0), Int32(0))
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_PASSIVE, &frames, &copied)
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw Failure(code, connection) }
        return Pass(copied: Int(copied), isBusy: code == SQLITE_BUSY)
    }

    /// The same, and a sync of the file whatever was copied, so that the writer has little left to sync.
    mutating func passAndSync() throws(Failure) -> Pass {
        let connection = try opened()
        let pass = try Self.pass(on: connection)
        let code = DatabaseFile.sync(connection)
        guard code == SQLITE_OK else { throw Failure(code, nil) }
        return pass
    }

    /// Empties the log, if nobody reads or writes. One of more than `most` bytes is copied and left as long as it is.
    ///
    /// - Returns: whether it is empty.
    mutating func giveBack(upTo most: Int64) throws(Failure) -> Bool {
        let connection = try opened()
        // Does the work beside whoever begins to write meanwhile; the other has little left to hold them up with.
        _ = try passAndSync()
        if let size = try DatabaseLog(of: connection)?.size(), size > most { return false }
        let code = sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK || code == SQLITE_BUSY else { throw Failure(code, connection) }
        return code == SQLITE_OK
    }

    struct Cut {
        var isCut = false
        /// True if more is to be cut off.
        var isMore = false
    }

    /// Cuts a piece off the end of a log that was begun anew, if it is longer than `limit` and than what it holds now.
    /// Whoever writes waits for that piece, so it is to be small.
    mutating func shorten(to limit: Int64, by piece: Int64) throws(Failure) -> Cut {
        let connection = try opened()
        guard let log = DatabaseLog(of: connection), try log.size() > limit else { return Cut() }
        // Without waiting: the log has to be copied meanwhile, and a busy writer hardly ever lets go.
        let begun = sqlite3_exec(connection, "BEGIN IMMEDIATE", nil, nil, nil)
        if begun == SQLITE_BUSY { return Cut(isMore: true) }
        guard begun == SQLITE_OK else { throw Failure(begun, connection) }
        defer { sqlite3_exec(connection, "ROLLBACK", nil, nil, nil) }
        // Nobody adds to it while the write lock is held, so all beyond its last commit is of the log before.
        guard let header = LogHeader(of: connection) else { return Cut() }
        return try log.cut(to: max(limit, header.logBytes()), by: piece)
    }

    private mutating func opened() throws(Failure) -> OpaquePointer {
        if let connection { return connection }
        var new: OpaquePointer?
        var code = sqlite3_open_v2(path, &new, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        // Without it the log would not be synced before it is copied, nor the file after that.
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
