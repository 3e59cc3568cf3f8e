import CloudEngine
import GRDB

/// Copies database files.
struct SQLiteCopier: DatabaseCopier {
    let files: DatabaseFiles

    func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        try asSQLError { try DatabaseCopy.run(from: source, to: path, report) }
    }

    func backUp(
        _ source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        try asSQLError { try DatabaseCopy.run(from: source, to: path, step) }
        // Close the copy in a journal mode that needs no second file.
        try openCopy(path, readonly: false).close()
    }

    func duplicate(_ source: String, to path: String) throws { try files.duplicate(source, to: path) }

    func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        try asSQLError {
            var configuration = Configuration()
            configuration.readonly = readonly
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            // A copy of a WAL database is in WAL mode; switch to a single file.
            if !readonly { try queue.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") } }
            return SQLiteConnection(queue)
        }
    }
}
