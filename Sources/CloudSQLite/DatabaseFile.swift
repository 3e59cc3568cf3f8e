import GRDB
import GRDBSQLite

/// The file of a connection's database, through SQLite's own handle: to close another would drop the locks that this
/// process holds on the file.
enum DatabaseFile {
    /// Puts what was written to the file on disk.
    ///
    /// - Returns: a code of SQLite's.
    static func sync(_ connection: OpaquePointer?) -> Int32 {
        guard let file = handle(of: connection) else { return SQLITE_ERROR }
        return file.pointee.pMethods?.pointee.xSync?(file, syncFlags) ?? SQLITE_ERROR
    }

    /// Those of a sync of data, with the length of the file.
    static let syncFlags = SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY

    /// SQLite's own handle; nil where the connection has none.
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
