import Foundation
import GRDB

/// Copies a database as it is at one moment, in steps that leave the disk to whoever writes meanwhile.
///
/// In WAL nobody waits for the reader that this is. What a writer would wait for is the disk: its sync of the log stands
/// behind all that the copy has written and not synced. So little of that is left at any time, and the copying rests
/// for as long as each step took.
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
                // One transaction for all steps: what is committed meanwhile would begin the copy anew.
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

    /// Nobody reads a copy that is not whole, so nothing of it has to outlive a power cut in between.
    private static let unsynced: Configuration = {
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        return configuration
    }()
}
