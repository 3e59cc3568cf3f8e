import CloudHTTP
import CloudModel
import CloudTransfer

extension BackupManifest {
    /// "2 environments, 1000 records, 30 assets; 5 MB of databases, 3 MB of new assets".
    var summary: String {
        "\(counts); "
            + "\(Self.size(databaseBytes)) of databases, \(Self.size(newAssetBytes)) of new assets"
    }

    /// "2 environments, 1000 records, 30 assets".
    var counts: String {
        Counted.list(
            [
                (environments.count, "environment", nil), (Int(records), "record", nil), (Int(assets), "asset", nil),
            ],
            nothing: "no environment")
    }

    /// A warning about lost assets in a completed backup; nil if the backup is complete.
    var remark: String? {
        missingAssets == 0
            ? nil
            : "Lost or damaged before, so not part of it: the contents of "
                + "\(Counted.text(missingAssets, "asset")). 'cumulus check' names them."
    }

    var summaryJSON: JSONValue {
        .members([
            "name": .string(name), "program": .string(program), "began": .date(began), "ended": .date(ended),
            "environments": .array(
                environments.compactMap(\.place).map {
                    .members(["container": .string($0.container), "environment": .string($0.environment.rawValue)])
                }),
            "records": .integer(records), "assets": .integer(assets), "missingAssets": .integer(missingAssets),
            "databaseBytes": .integer(databaseBytes), "assetBytes": .integer(assetBytes),
            "newAssetBytes": .integer(newAssetBytes),
        ])
    }

    static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<10_000: "\(bytes) bytes"
        case ..<10_000_000: "\(bytes / 1000) KB"
        case ..<10_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\(bytes / 1_000_000_000) GB"
        }
    }
}

extension BackupArchive.Entry {
    var row: [String] {
        switch manifest {
        case .success(let manifest):
            [
                name, Counted.shown(manifest.environments.count), Counted.shown(manifest.records),
                Counted.shown(manifest.assets),
                "\(manifest.databaseBytes + manifest.assetBytes)", "\(manifest.databaseBytes + manifest.newAssetBytes)",
                manifest.program,
            ]
        case .failure(let fault): [name, fault.description, "", "", "", "", ""]
        }
    }

    var json: JSONValue {
        switch manifest {
        case .success(let manifest): manifest.summaryJSON
        case .failure(let fault): .members(["name": .string(name), "fault": .string(fault.description)])
        }
    }
}

extension BackupVerification.Findings {
    var report: Report {
        let found = problems + (more > 0 ? ["\(more) more"] : [])
        let looked =
            "Read the backup \(manifest.name): \(Counted.text(manifest.databases.count, "database")), "
            + Counted.text(assets, "asset")
        return Report(
            (found.map(PlainText.line) + [
                "\(looked). \(problems.isEmpty ? "All is well." : "Problems: \(problems.count + more).")"
            ])
            .joined(separator: "\n"), remark: manifest.remark,
            json: .members([
                "name": .string(manifest.name), "databases": .integer(Int64(manifest.databases.count)),
                "assets": .integer(assets), "problems": .array(problems.map(JSONValue.string)),
            ]))
    }
}

extension BackupPruning.Outcome {
    var report: Report {
        Report(
            "Dropped backups: \(dropped.count), kept: \(kept.count). Dropped contents: "
                + "\(Counted.text(assets, "asset")), \(BackupManifest.size(bytes)).",
            json: .members([
                "dropped": .array(dropped.map(JSONValue.string)), "kept": .array(kept.map(JSONValue.string)),
                "assets": .integer(assets), "bytes": .integer(bytes),
            ]))
    }
}

extension BackupRestoration.Outcome {
    func report(in data: String) -> Report {
        let counts = manifest.map { ": \($0.counts)" }
        return Report(
            "Restored \(name) into \(data)\(counts ?? ""). The counts are those of the backup.",
            remark: aside.map { "What was there before is in \($0); delete it when nobody needs it any more." },
            json: .members([
                "name": .string(name), "data": .string(data), "aside": .text(aside),
                "records": manifest.map { .integer($0.records) }, "assets": manifest.map { .integer($0.assets) },
            ]))
    }
}
