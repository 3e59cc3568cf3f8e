import Dispatch
import GRDB
import GRDBSQLite
import Synchronization

/// The file of a connection's database, through SQLite's own handle: to close another would drop the locks that this
/// process holds on the file.
enum DatabaseFile {
    /// Puts what was written to the file on disk.
    ///
    /// - Returns: a code of SQLite's.
    static func sync(_ connection: OpaquePointer?) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file else { return code == SQLITE_OK ? SQLITE_ERROR : code }
        return sync(file)
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>) -> Int32 {
        file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY) ?? SQLITE_ERROR
    }

    /// Puts what `body` writes to the file on disk every so often while it does, so that whoever syncs another file waits
    /// for a little of it at a time.
    ///
    /// - Returns: what `body` gives or throws, and a code of SQLite's: that of the first sync that has failed.
    static func syncing<T, Failure: Error>(
        _ connection: OpaquePointer, every interval: DispatchTimeInterval, _ body: () throws(Failure) -> T
    ) -> (result: Result<T, Failure>, code: Int32) {
        let syncs = Syncs(connection)
        let timer = DispatchSource.makeTimerSource(queue: Self.queue)
        timer.setEventHandler { syncs.run() }
        timer.schedule(deadline: .now() + interval, repeating: interval)
        timer.activate()
        defer { timer.cancel() }
        let result = Result { () throws(Failure) in try body() }
        return (result, syncs.end())
    }

    private static let queue = DispatchQueue(label: "log.sync", qos: .utility)

    /// Syncs of one file from another thread than its connection's, which SQLite's method allows: it asks the system, and
    /// nothing of the connection.
    private final class Syncs: Sendable {
        private struct State: @unchecked Sendable {
            // Nil once there are to be no more.
            var file: UnsafeMutablePointer<sqlite3_file>?
            var code = SQLITE_OK
        }

        private let state: Mutex<State>

        init(_ connection: OpaquePointer) {
            var file: UnsafeMutablePointer<sqlite3_file>?
            let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
            state = Mutex(State(file: code == SQLITE_OK ? file : nil))
        }

        func run() {
            state.withLock { state in
                guard let file = state.file, state.code == SQLITE_OK else { return }
                state.code = DatabaseFile.sync(file)
            }
        }

        /// Returns once none runs any more.
        func end() -> Int32 {
            state.withLock { state in
                state.file = nil
                return state.code
            }
        }
    }

    static func sync(_ db: Database) throws {
        let code = sync(db.sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
