import CloudAssets
import CloudEngine
import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// A copy of an environment's database from one moment; later writes do not reach it.
struct EnvironmentSnapshot {
    let connection: any EngineConnection

    /// Copies the database at `source`, which a server may be using, and migrates the copy to the current layout.
    ///
    /// - Throws: ``NewerDatabase`` when a later version of the server wrote the database.
    static func take(
        of source: String, as path: String, by engine: any StoreEngine, now: @escaping Now,
        _ report: @escaping ReportProgress
    ) throws {
        let unfinished = path + LineWriter.unfinished
        try engine.locations.remove(unfinished)
        try engine.copier.copy(source, to: unfinished) {
            report(TransferProgress(what: "pages", done: Int64($0), total: Int64($1)))
        }
        let copy = try engine.copier.openCopy(unfinished, readonly: false)
        try Migrations.run(on: copy, name: engine.locations.name(of: source))
        try copy.write { try UnfinishedRemovals.finish($0, now: now) }
        try copy.close()
        try engine.locations.move(unfinished, to: path)
    }

    /// Opens an existing copy.
    init(path: String, engine: any StoreEngine) throws { connection = try engine.copier.openCopy(path, readonly: true) }

    /// Deletes a copy, finished or not.
    static func remove(_ path: String, by engine: any StoreEngine) throws {
        for name in [path, path + LineWriter.unfinished] { try engine.locations.remove(name) }
    }
}
