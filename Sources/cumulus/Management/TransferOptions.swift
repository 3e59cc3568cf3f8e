import ArgumentParser
import CloudModel
import CloudTransfer

/// Common options of commands that move data.
struct TransferOptions: ParsableArguments {
    @Flag(help: "Show no progress.") var quiet = false

    var progress: ProgressLine { ProgressLine(isQuiet: quiet) }
}

extension ExportManifest {
    /// A remark on assets without contents; nil if all assets have contents.
    var remark: String? {
        missingAssets.isEmpty
            ? nil
            : "Lost before, so not part of it: the contents of \(Counted.text(missingAssets.count, "asset")). "
                + "manifest.json names them."
    }

    /// A summary of an export's contents: "2 zones, 1000 records".
    var summary: String {
        let parts = summaryCounts.filter { $0.count > 0 }.map {
            Counted.text($0.count, String($0.noun.dropLast()), $0.noun)
        }
        return parts.isEmpty ? "it is empty" : parts.joined(separator: ", ")
    }

    var summaryJSON: JSONValue {
        .members([
            "container": .string(container), "environment": .string(environment.rawValue),
            "counts": .object(
                JSONObject(summaryCounts.map { JSONObject.Member(key: $0.key, value: .integer($0.count)) })),
            "missingAssets": .array(missingAssets.map(JSONValue.string)),
        ])
    }
}
