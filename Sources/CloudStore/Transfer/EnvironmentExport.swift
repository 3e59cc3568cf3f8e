package import CloudModel
import Foundation
import GRDB

/// Writes one environment of a container into a folder (docs/export.md), beside a running server if there is one.
///
/// It is taken from a copy of the environment as it was when the export began. Interrupted, it goes on with that copy.
package struct EnvironmentExport: Sendable {
    let data: DataFolder
    let accounts: AccountStore
    let container: Container
    let environment: ContainerEnvironment
    let folder: ExportFolder
    /// Whether assets become further names of the server's files instead of copies, where the file system can.
    let linksAssets: Bool
    let report: ReportProgress

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

    /// Writes what is not written yet.
    ///
    /// - Returns: the manifest of the complete export.
    /// - Throws: ``TransferFault`` when there is nothing to export, or the folder has something else in it.
    package func run() async throws -> ExportManifest {
        let source = data.recordsFile(container: container.id, environment: environment)
        guard FileManager.default.fileExists(atPath: source) else {
            throw TransferFault("nothing has ever been stored in \(environment.rawValue) of \(container.name)")
        }
        try folder.prepare()
        let lock = try lock()
        defer { lock.release() }
        if folder.has(ExportFolder.manifest) {
            let known = try ExportManifest.read(folder)
            guard known.container == container.name, known.environment == environment else {
                throw TransferFault(
                    "\(folder.path) is an export of \(known.environment.rawValue) of \(known.container); "
                        + "name another folder")
            }
            if known.isComplete { return known }
            guard folder.has(ExportFolder.snapshot) else {
                throw TransferFault(
                    "\(folder.path) cannot be completed: its \(ExportFolder.snapshot) is gone; name another folder")
            }
            return try await complete(known)
        }
        return try await complete(begin(source))
    }

    private func lock() throws -> FileLock {
        do { return try FileLock(path: folder.path(ExportFolder.lock), wait: false) } catch is FileLock.Held {
            throw TransferFault("another export into \(folder.path) is running")
        }
    }

    // MARK: Steps

    private func begin(_ source: String) async throws -> ExportManifest {
        let path = folder.path(ExportFolder.snapshot)
        var missing = [String]()
        // What is deleted meanwhile takes its assets along; a newer copy does not ask for them.
        for _ in 0..<2 {
            try EnvironmentSnapshot.take(of: source, as: path, report)
            missing = try assets.write(try EnvironmentSnapshot(path: path))
            if missing.isEmpty { break }
        }
        let snapshot = try EnvironmentSnapshot(path: path)
        let routingKey = try await accounts.routingKey(container: container.id, environment: environment)
        var manifest = try snapshot.connection.inDatabase { db in
            try ExportSummary.manifest(container: container.name, environment, routingKey: routingKey, db)
        }
        manifest.missingAssets = missing
        manifest.counts[.users] = try await ExportedUsers(accounts: accounts, container: container)
            .write(to: folder, of: snapshot)
        try LineWriter.save(manifest.json, as: folder.path(ExportFolder.manifest))
        return manifest
    }

    private var assets: ExportedAssets {
        ExportedAssets(
            source: data.assetsFolder(container: container.id, environment: environment), folder: folder,
            links: linksAssets, report: report)
    }

    private func complete(_ begun: ExportManifest) async throws -> ExportManifest {
        var manifest = begun
        let snapshot = try EnvironmentSnapshot(path: folder.path(ExportFolder.snapshot))
        try snapshot.connection.inDatabase { db in
            let catalog = try CatalogReader.load(db)
            try LineWriter.save(
                Array(SchemaText.text(catalog.definition).utf8), as: folder.path(ExportFolder.schema))
            for list in TransferList.allCases where list != .users {
                if list == .records { try writeRecords(&manifest, db) } else { try write(list, manifest, db) }
            }
        }
        try snapshot.connection.close()
        manifest.cursor = nil
        try LineWriter.save(manifest.json, as: folder.path(ExportFolder.manifest))
        try EnvironmentSnapshot.remove(folder.path(ExportFolder.snapshot))
        try FileManager.default.removeItem(atPath: folder.path(ExportFolder.lock))
        return manifest
    }

    private func write(_ list: TransferList, _ manifest: ExportManifest, _ db: Database) throws {
        let total = manifest.count(list)
        for file in list.files(total) where !folder.has(file) {
            let writer = try LineWriter(path: folder.path(file))
            var done: Int64 = 0
            try ExportLines.each(list, db) { line in
                try writer.append(line)
                done += 1
                report(TransferProgress(what: list.noun, done: done, total: total))
            }
            try writer.finish()
        }
    }

    private func writeRecords(_ manifest: inout ExportManifest, _ db: Database) throws {
        let total = manifest.count(.records)
        let files = ExportFolder.recordFiles(total)
        while var cursor = manifest.cursor, cursor.file <= files {
            let writer = try LineWriter(path: folder.path(ExportFolder.records(cursor.file)))
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
            try LineWriter.save(manifest.json, as: folder.path(ExportFolder.manifest))
        }
    }
}
