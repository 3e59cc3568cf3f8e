package import CloudAssets
package import CloudEngine
import CloudModel

/// Verifies a whole backup: file checksums, database integrity and counts, and all assets.
package struct BackupVerification: Sendable {
    let backups: BackupArchive
    let report: ReportProgress

    package struct Findings: Sendable {
        package let manifest: BackupManifest
        /// Problems, one sentence each.
        package internal(set) var problems: [String] = []
        package internal(set) var assets: Int64 = 0
        /// The number of further problems, not listed.
        package internal(set) var more = 0

        mutating func add(_ problem: String) {
            if problems.count < 1_000 { problems.append(problem) } else { more += 1 }
        }
    }

    package init(
        of data: DataFolder, in archive: any Archive, report: @escaping ReportProgress = { _ in }
    ) {
        backups = BackupArchive(archive, of: data)
        self.report = report
    }

    /// - Parameter name: the backup's name; nil for the newest.
    /// - Throws: ``TransferFault`` when the backup is missing or its manifest unreadable.
    package func run(_ name: String?) async throws -> Findings {
        try await backups.worded {
            let manifest = try await backups.manifest(name)
            var findings = Findings(manifest: manifest)
            if let fault = try await backups.fault(ofMarkerFor: manifest) { findings.add(fault) }
            for database in manifest.databases {
                let file = BackupFile(database.file, of: manifest.name, in: backups)
                do { try await file.check(database, engine: backups.data.engine) } catch let fault as TransferFault {
                    findings.add(fault.description)
                }
                guard let list = database.assets else { continue }
                do { try await check(list, of: database, &findings) } catch let fault as TransferFault {
                    findings.add(fault.description)
                }
            }
            return findings
        }
    }

    private func check(
        _ list: BackupManifest.AssetList, of database: BackupManifest.Database, _ findings: inout Findings
    ) async throws {
        let what = "assets of \(database.place?.text ?? "")"
        let archive = backups.archive
        try await BackupFile(list.file, of: findings.manifest.name, in: backups).check()
        var count: Int64 = 0
        try await backups.eachAsset(BackupNames.file(list.file.name, of: findings.manifest.name)) { key, size in
            count += 1
            let name = BackupNames.asset(key)
            if let fault = try await Self.fault(of: archive.open(name), key, size) {
                findings.add("\(archive.place)/\(name): \(fault)")
            }
            report(TransferProgress(what: what, done: count, total: list.count))
        }
        findings.assets += count
    }

    private static func fault(of contents: (any AssetReading)?, _ key: String, _ size: Int64) async throws -> String? {
        guard let contents else { return "it is missing" }
        guard contents.size == size else { return "it has \(contents.size) of \(size) bytes" }
        return AssetKey(sha256: try await contents.sha256()).text == key ? nil : "its checksum is wrong"
    }
}
