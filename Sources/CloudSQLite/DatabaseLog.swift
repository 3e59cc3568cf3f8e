import GRDBSQLite

/// The log file of a connection's database, through SQLite's handle.
struct DatabaseLog {
    private let connection: OpaquePointer
    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    /// - Parameter connection: a connection after its first read.
    /// - Returns: nil for a database without a WAL.
    init?(of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods?.pointee
        else { return nil }
        (self.connection, self.file, self.methods) = (connection, file, methods)
    }

    func size() throws(LogCopier.Failure) -> Int64 {
        var size: Int64 = 0
        let code = methods.xFileSize(file, &size)
        guard code == SQLITE_OK else { throw LogCopier.Failure(code, connection) }
        return size
    }

    /// Truncates the log by at most `piece` bytes, and never below `least` bytes.
    func cut(to least: Int64, by piece: Int64) throws(LogCopier.Failure) -> LogCopier.Cut {
        let size = try size()
        guard size > least else { return LogCopier.Cut() }
        let left = max(least, size - piece)
        let code = methods.xTruncate(file, left)
        guard code == SQLITE_OK else { throw LogCopier.Failure(code, connection) }
        return LogCopier.Cut(isCut: true, isMore: left > least)
    }
}
