import CloudAssets
import Foundation

/// A folder that holds one environment of a container (docs/export.md), and the names of what is in it.
package struct ExportFolder: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    static let manifest = "manifest.json"
    static let schema = "schema.ckdb"
    static let assets = "assets"
    static let lock = "export.lock"
    static let snapshot = "snapshot.sqlite"

    /// Records in one file: what has to be written again at most when an export is interrupted.
    static let recordsPerFile = 10_000

    /// - Parameter number: from 1.
    static func records(_ number: Int64) -> String {
        let digits = String(number)
        return "records-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".jsonl"
    }

    /// The number of files that this many records fill.
    static func recordFiles(_ records: Int64) -> Int64 {
        (records + Int64(recordsPerFile) - 1) / Int64(recordsPerFile)
    }

    func path(_ name: String) -> String { path + "/" + name }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func asset(_ key: String) -> String { path(Self.assets) + "/" + key }

    /// Lets the export begin anew, with a newer copy.
    func removeManifest() throws {
        try FileManager.default.removeItem(atPath: path(Self.manifest))
        try Folder.sync(path)
    }

    /// Makes the folder, readable by its owner alone.
    ///
    /// - Throws: ``TransferFault`` when it holds something else than an export that has been begun.
    func prepare() throws {
        try Folder.make(path)
        guard !has(Self.manifest), !has(Self.lock) else { return }
        if let stranger = try FileManager.default.contentsOfDirectory(atPath: path).min() {
            throw TransferFault("\(path) is no export and not empty either: it has '\(stranger)'; name another folder")
        }
    }
}
