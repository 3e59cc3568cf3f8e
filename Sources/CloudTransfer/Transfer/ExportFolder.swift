import CloudAssets
import CloudStore
import Foundation

/// A folder with an export of one environment (docs/export.md), and the names of its files.
package struct ExportFolder: Hashable, Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    static let manifest = "manifest.json"
    static let schema = "schema.ckdb"
    static let assets = "assets"
    static let lock = "export.lock"
    static let snapshot = "snapshot.sqlite"

    /// Records in one file, which bounds the work repeated after an interruption.
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

    /// Deletes the manifest, so that the export restarts with a newer snapshot.
    func removeManifest() throws {
        try FileManager.default.removeItem(atPath: path(Self.manifest))
        try Folder.sync(path)
    }

    /// Makes the folder, readable by its owner alone.
    ///
    /// - Throws: ``TransferFault`` when the folder holds unrelated files.
    func prepare() throws {
        try Folder.make(path)
        guard !has(Self.manifest), !has(Self.lock) else { return }
        if let stranger = try FileManager.default.contentsOfDirectory(atPath: path).min() {
            throw TransferFault("\(path) is no export and not empty either: it has '\(stranger)'; name another folder")
        }
    }
}
