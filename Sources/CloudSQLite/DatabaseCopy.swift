import Foundation
import GRDB

/// Copies a database snapshot in steps that leave disk time to writers.
///
/// A WAL reader never blocks writers, but a writer's sync of the log waits for the copy's unsynced writes. So the copy
/// syncs after each small step, then pauses for as long as the step took.
enum DatabaseCopy {
    /// Pages of 4 KB.
    private static let pagesPerStep: CInt = 256

    static func run(
        from source: String, to path: String, _ step: @escaping (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        let copy = try DatabaseQueue(path: path, configuration: unsynced)
        let original = try DatabaseQueue(path: source, configuration: .records(readonly: true))
        try original.inDatabase { from in
            try copy.inDatabase { to in
                // One read transaction spans all steps; otherwise each commit would restart the copy.
                try from.inTransaction(.deferred) {
                    _ = try Row.fetchOne(from, sql: "SELECT count(*) FROM sqlite_master")
                    var begun = ContinuousClock.now
                    try from.backup(to: to, pagesPerStep: pagesPerStep) { progress in
                        try step(progress.completedPageCount, progress.totalPageCount)
                        try DatabaseFile.sync(to)
                        Thread.sleep(forTimeInterval: begun.duration(to: .now) / .seconds(1))
                        begun = .now
                    }
                    return .commit
                }
            }
        }
        try original.close()
        try copy.inDatabase { try DatabaseFile.sync($0) }
        try copy.close()
    }

    /// An incomplete copy is never read, so it need not survive a power failure.
    private static let unsynced: Configuration = {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        return configuration
    }()
}
