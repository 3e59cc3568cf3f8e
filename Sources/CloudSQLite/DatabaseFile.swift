import GRDB
import GRDBSQLite

/// The database file of a connection, through SQLite's handle: closing another descriptor would drop this process's
/// locks on the file.
enum DatabaseFile {
    /// Syncs the file to disk.
    ///
    /// - Returns: a SQLite result code.
    static func sync(_ connection: OpaquePointer?) -> Int32 {
        guard let file = handle(of: connection) else { return SQLITE_ERROR }
        return file.pointee.pMethods?.pointee.xSync?(file, syncFlags) ?? SQLITE_ERROR
    }

    /// Sync flags for data and file length only.
    static let syncFlags = SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY

    /// SQLite's file handle; nil if the connection has none.
    static func handle(of connection: OpaquePointer?) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return code == SQLITE_OK ? file : nil
    }

    static func sync(_ db: Database) throws {
        let code = sync(db.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
