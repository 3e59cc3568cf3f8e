import GRDB
import GRDBSQLite

/// The file of a connection's database, through SQLite's own handle: to close another would drop the locks that this
/// process holds on the file.
enum DatabaseFile {
    /// Puts what was written to the file on disk.
    ///
    /// - Returns: a code of SQLite's.
    static func sync(_ connection: OpaquePointer?) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, let sync = file.pointee.pMethods?.pointee.xSync else {
            return code == SQLITE_OK ? SQLITE_ERROR : code
        }
        return sync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
    }

    static func sync(_ db: Database) throws {
        let code = sync(db.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
