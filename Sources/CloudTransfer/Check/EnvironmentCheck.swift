package import CloudAccounts
import CloudAssets
package import CloudEngine
package import CloudModel
import CloudStore
import Foundation
import CloudSQL

/// Checks an environment without changing it: the database, each record's JSON, each asset's size and checksum. A
/// server may be running.
package struct EnvironmentCheck {
    /// Counts of checked items, and the problems found.
    package struct Findings: Sendable {
        package var records = 0
        package var assets = 0
        /// Problems, one sentence each.
        package var problems: [String] = []
        /// The number of further problems, not listed.
        package var more = 0

        mutating func add(_ problem: String) {
            if problems.count < Self.most { problems.append(problem) } else { more += 1 }
        }

        private static let most = 1_000
    }

    /// Rows per read: short reads let a running server checkpoint its log.
    private static let batch: Int64 = 500

    private let folder: DataFolder
    private let container: Container
    private let environment: ContainerEnvironment
    private let report: ReportProgress

    package init(
        of container: Container, _ environment: ContainerEnvironment, in folder: DataFolder,
        report: @escaping ReportProgress = { _ in }
    ) {
        self.folder = folder
        self.container = container
        self.environment = environment
        self.report = report
    }

    /// Runs all checks; read errors become findings.
    package func run() async -> Findings {
        var findings = Findings()
        let path = folder.recordsFile(container: container.id, environment: environment)
        let name = folder.engine.locations.name(of: path)
        do {
            guard let database = try folder.engine.locations.facts(of: path) else {
                findings.add("the database \(name) is missing")
                return findings
            }
            guard !database.isEmpty else {
                findings.add("the database \(name) is empty")
                return findings
            }
            let connection = try folder.engine.opener.openForReading(path)
            defer { try? connection.close() }
            try connection.refuseNewer(Migrations.all, name: name)
            try await check(connection, &findings)
        } catch let newer as NewerDatabase {
            findings.add("the database \(newer)")
        } catch {
            findings.add("the database \(name) cannot be read: \(Self.words(error))")
        }
        return findings
    }

    private func check(_ connection: any EngineConnection, _ findings: inout Findings) async throws {
        for problem in try connection.read({ try $0.problems() }) { findings.add(problem) }
        // The findings above already name damaged pages; the reads below may fail on the same pages.
        guard try connection.read({ try $0.hasTable("store") }) else {
            findings.add("the database has no tables")
            return
        }
        try checkRecords(connection, &findings)
        try await checkAssets(connection, &findings)
    }

    // MARK: Records

    private func checkRecords(_ connection: any EngineConnection, _ findings: inout Findings) throws {
        let total = try connection.read { db in
            try db.first("SELECT count(*) FROM records WHERE record_type IS NOT NULL") { $0.integer(0) } ?? 0
        }
        var last = Int64.min
        while true {
            var problems: [String] = []
            let count = try connection.read { db in
                var count = 0
                try db.each(
                    """
                    SELECT records.id, records.name, body, owner, zones.name FROM records
                    LEFT JOIN zones ON zones.id = zone
                    WHERE records.id > ? AND record_type IS NOT NULL ORDER BY records.id LIMIT ?
                    """, [.integer(last), .integer(Self.batch)]
                ) { row in
                    (last, count) = (row.integer(0), count + 1)
                    if let fault = Self.fault(of: row.record(2), name: row.text(1)) {
                        problems.append("record '\(row.text(1))' in zone '\(row.text(4))' of \(row.text(3)): \(fault)")
                    }
                    return true
                }
                return count
            }
            problems.forEach { findings.add($0) }
            findings.records += count
            report(TransferProgress(what: "records", done: Int64(findings.records), total: total))
            if count < Int(Self.batch) { return }
        }
    }

    private static func fault(of body: RecordBody, name: String) -> String? {
        do {
            guard let object = try JSONParser.parse(body.withoutPlaceholders.bytes).object else {
                return "its JSON is no object"
            }
            return object["recordName"]?.string == name ? nil : "its JSON is of another record"
        } catch {
            return "its JSON cannot be read: \(error.reason)"
        }
    }

    // MARK: Assets

    private struct StoredAsset {
        let id: Int64
        let key: String
        let file: AssetFile
        let size: Int64
    }

    private func checkAssets(_ connection: any EngineConnection, _ findings: inout Findings) async throws {
        let (total, name) = try connection.read { db in
            (try db.first("SELECT count(*) FROM assets") { $0.integer(0) } ?? 0, try AssetsFolder.name(db))
        }
        let store = folder.assetFolders.store(container: container.id, environment: environment, stored: name)
        var last = Int64.min
        while true {
            let assets = try connection.read { [last] in try Self.assets(after: last, $0) }
            for asset in assets {
                let fault = await AssetCheck.fault(of: asset.file, in: store, key: asset.key, size: asset.size)
                // A running server may have deleted the asset meanwhile.
                if let fault, try connection.read({ try AssetTable.has(asset.file, $0) }) {
                    findings.add("asset \(asset.key), file \(asset.file.name): \(fault)")
                }
                findings.assets += 1
                report(TransferProgress(what: "assets", done: Int64(findings.assets), total: total))
            }
            guard let end = assets.last else { return }
            last = end.id
        }
    }

    private static func assets(after last: Int64, _ db: SQLConnection) throws -> [StoredAsset] {
        var assets: [StoredAsset] = []
        try db.each(
            "SELECT id, key, file, size FROM assets WHERE id > ? ORDER BY id LIMIT ?",
            [.integer(last), .integer(batch)]
        ) { row in
            assets.append(
                StoredAsset(
                    id: row.integer(0), key: row.text(1), file: AssetFile(name: row.text(2)), size: row.integer(3)))
            return true
        }
        return assets
    }

    private static func words(_ error: any Error) -> String {
        (error as? SQLError)?.message ?? error.localizedDescription
    }
}
