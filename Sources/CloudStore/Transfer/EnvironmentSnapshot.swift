import CloudModel
import Foundation
import GRDB

/// A copy of an environment's file as it was at one moment, so that whoever writes meanwhile changes nothing in it.
struct EnvironmentSnapshot {
    let connection: DatabaseQueue

    private static let pagesPerStep: CInt = 4_000

    /// Copies the file at `source`, which a server may be using, and brings the copy up to date.
    ///
    /// - Throws: ``NewerDatabase`` when a later version of the server wrote it.
    static func take(of source: String, as path: String, _ report: @escaping ReportProgress) throws {
        let unfinished = path + ExportFolder.unfinished
        try remove(unfinished)
        let copy = try DatabaseQueue(path: unfinished)
        let original = try DatabaseQueue(path: source, configuration: .records(readonly: true))
        try original.inDatabase { from in
            try copy.inDatabase { to in
                // One transaction for all steps: what is committed meanwhile would begin the copy anew.
                try from.run("BEGIN DEFERRED")
                _ = try from.first("SELECT position FROM store") { $0.integer(0) }
                try from.backup(to: to, pagesPerStep: pagesPerStep) { progress in
                    report(
                        TransferProgress(
                            what: "pages", done: Int64(progress.completedPageCount),
                            total: Int64(progress.totalPageCount)))
                }
                try from.run("COMMIT")
            }
        }
        try original.close()
        try copy.inDatabase { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try Migrations.run(on: copy, path: source)
        try copy.inDatabase { db in
            try db.inTransaction {
                try finishRemovals(db); return .commit
            }
        }
        try copy.close()
        guard rename(unfinished, path) == 0 else { throw TransferFault("\(path) cannot be written") }
        try FileFault.syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Takes away what a schema change has removed and a server not come to yet.
    private static func finishRemovals(_ db: Database) throws {
        let transaction = try WriteTransaction(db: db, published: PublishedCatalog(), container: "")
        defer { transaction.close() }
        for type in transaction.catalog.types.values where !type.dropped.isEmpty {
            try IndexBuilding(transaction: transaction, indexing: .marked).complete(type: type.id)
        }
        let removal = TypeRemoval(
            transaction: transaction, now: 0, limits: Limits(), shortGUIDs: ShortGUID(routingKey: ""))
        for type in transaction.catalog.removed.values { try removal.advance(type, .unbounded) }
        try transaction.flush()
    }

    /// Opens a copy taken before.
    init(path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        connection = try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Drops a copy that is needed no more, and what was to become one.
    static func remove(_ path: String) throws {
        for name in [path, path + ExportFolder.unfinished] {
            for file in [name, name + "-journal", name + "-wal", name + "-shm"]
            where FileManager.default.fileExists(atPath: file) {
                try FileManager.default.removeItem(atPath: file)
            }
        }
    }
}
