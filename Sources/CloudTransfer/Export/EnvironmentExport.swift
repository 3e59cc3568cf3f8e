package import CloudAccounts
import CloudAssets
package import CloudEngine
package import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// Exports one environment of a container into a folder (docs/export.md), with or without a running server.
///
/// The export reads a snapshot taken at its beginning; an interrupted export resumes from the same snapshot.
package struct EnvironmentExport: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment
    let folder: ExportFolder
    /// True if assets become hard links to the server's files where the file system supports links.
    let linksAssets: Bool
    let report: ReportProgress
    var reached: ReachedStep = { _ in }

    package init(
        of container: Container, _ environment: ContainerEnvironment, in data: DataFolder, accounts: AccountStore,
        to folder: ExportFolder, linksAssets: Bool = false, report: @escaping ReportProgress = { _ in }
    ) {
        self.container = container
        self.environment = environment
        self.data = data
        self.accounts = accounts
        self.folder = folder
        self.linksAssets = linksAssets
        self.report = report
    }

    /// Writes the missing parts of the export.
    ///
    /// - Returns: the manifest of the complete export.
    /// - Throws: ``TransferFault`` when the environment was never used, or the folder holds unrelated files or an
    ///   earlier complete export.
    package func run() async throws -> ExportManifest {
        do {
            let source = data.recordsFile(container: container.id, environment: environment)
            guard try data.engine.locations.facts(of: source) != nil else {
                throw TransferFault("nothing has ever been stored in \(environment.rawValue) of \(container.name)")
            }
            try folder.prepare()
            // The lock file is deleted last, so its presence means an interrupted export.
            let wasInterrupted = folder.has(ExportFolder.lock)
            let lock = try lock()
            defer { lock.release() }
            let manifest =
                if let known = try begun(wasInterrupted: wasInterrupted) { known } else { try await begin(source) }
            if manifest.isComplete { return manifest }
            return try complete(await withAssets(manifest, source))
        } catch { throw TransferFault.worded(error) }
    }

    /// The manifest of an interrupted export, complete or not; nil for a new export.
    private func begun(wasInterrupted: Bool) throws -> ExportManifest? {
        guard folder.has(ExportFolder.manifest) else { return nil }
        let known = try ExportManifest.read(folder)
        let what = "export of \(known.environment.rawValue) of \(known.container)"
        let isOurs = known.container == container.name && known.environment == environment
        if known.isComplete {
            try tidy()
            if wasInterrupted && isOurs { return known }
            throw TransferFault("\(folder.path) is a complete \(what) already; name another folder")
        }
        guard isOurs else { throw TransferFault("\(folder.path) is an \(what); name another folder") }
        guard try data.engine.locations.facts(of: folder.path(ExportFolder.snapshot)) != nil else {
            throw TransferFault(
                "\(folder.path) cannot be completed: its \(ExportFolder.snapshot) is gone; name another folder")
        }
        return known
    }

    private func lock() throws -> FileLock {
        do { return try FileLock(path: folder.path(ExportFolder.lock), wait: false) } catch is FileLock.Held {
            throw TransferFault("another export into \(folder.path) is running")
        }
    }

    // MARK: Steps

    /// Takes the snapshot for the export; resumed runs reuse it.
    private func begin(_ source: String) async throws -> ExportManifest {
        let path = folder.path(ExportFolder.snapshot)
        try EnvironmentSnapshot.take(of: source, as: path, by: data.engine, now: data.now, report)
        reached(.copy)
        let snapshot = try EnvironmentSnapshot(path: path, engine: data.engine)
        let routingKey = try await accounts.environments.routingKey(container: container.id, environment: environment)
        let manifest = try snapshot.connection.use { db in
            try ExportSummary.manifest(container: container.name, environment, routingKey: routingKey, db)
        }
        try snapshot.connection.close()
        try save(manifest)
        reached(.manifest)
        return manifest
    }

    private func withAssets(_ begun: ExportManifest, _ source: String) async throws -> ExportManifest {
        guard begun.cursor?.hasAssets == false else { return begun }
        var manifest = begun
        var missing = try await writeAssets()
        if !missing.isEmpty {
            // Deletions during the export also deleted assets; a newer snapshot no longer names them.
            try folder.removeManifest()
            manifest = try await begin(source)
            missing = try await writeAssets()
        }
        manifest.missingAssets = missing
        let snapshot = try EnvironmentSnapshot(path: folder.path(ExportFolder.snapshot), engine: data.engine)
        manifest.counts[.users] = try await ExportedUsers(accounts: accounts, container: container)
            .write(to: folder, of: snapshot)
        try snapshot.connection.close()
        manifest.cursor?.hasAssets = true
        try save(manifest)
        reached(.assets)
        return manifest
    }

    private func writeAssets() async throws -> [String] {
        try await ExportedAssets(
            source: { data.assetFolders.store(container: container.id, environment: environment, stored: $0) },
            folder: folder,
            links: linksAssets, report: report
        ).write(EnvironmentSnapshot(path: folder.path(ExportFolder.snapshot), engine: data.engine))
    }

    private func save(_ manifest: ExportManifest) throws {
        try LineWriter.save(manifest.json, as: folder.path(ExportFolder.manifest))
    }

    private func complete(_ begun: ExportManifest) throws -> ExportManifest {
        var manifest = begun
        let snapshot = try EnvironmentSnapshot(path: folder.path(ExportFolder.snapshot), engine: data.engine)
        try snapshot.connection.use { db in
            let catalog = try CatalogReader.load(db)
            try LineWriter.save(
                Array(SchemaText.text(catalog.definition).utf8), as: folder.path(ExportFolder.schema))
            for list in TransferList.allCases where list != .users {
                if list == .records { try writeRecords(&manifest, db) } else { try write(list, manifest, db) }
            }
        }
        try snapshot.connection.close()
        manifest.cursor = nil
        try save(manifest)
        reached(.complete)
        try tidy()
        reached(.end)
        return manifest
    }

    /// Removes the snapshot and the lock file. The snapshot is as large as the export, and keeps records deleted since.
    private func tidy() throws {
        try EnvironmentSnapshot.remove(folder.path(ExportFolder.snapshot), by: data.engine)
        try FileManager.default.removeItem(atPath: folder.path(ExportFolder.lock))
    }

    private func write(_ list: TransferList, _ manifest: ExportManifest, _ db: SQLConnection) throws {
        let total = manifest.count(list)
        guard let file = list.file(0, of: total), !folder.has(file) else { return }
        let writer = try LineWriter(path: folder.path(file))
        var done: Int64 = 0
        try ExportLines.each(list, db) { line in
            try writer.append(line)
            done += 1
            report(TransferProgress(what: list.noun, done: done, total: total))
        }
        try writer.finish()
        reached(.file(file))
    }

    private func writeRecords(_ manifest: inout ExportManifest, _ db: SQLConnection) throws {
        let total = manifest.count(.records)
        while var cursor = manifest.cursor, let file = TransferList.records.file(Int(cursor.file) - 1, of: total) {
            let writer = try LineWriter(path: folder.path(file))
            var done = (cursor.file - 1) * Int64(ExportFolder.recordsPerFile)
            cursor.after = try ExportLines.records(after: cursor.after, limit: ExportFolder.recordsPerFile, db) {
                line in
                try writer.append(line)
                done += 1
                report(TransferProgress(what: TransferList.records.noun, done: done, total: total))
            }
            try writer.finish()
            cursor.file += 1
            manifest.cursor = cursor
            try save(manifest)
            reached(.file(file))
        }
    }
}
