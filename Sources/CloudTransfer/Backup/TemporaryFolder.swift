import CloudAssets
import CloudEngine
import Foundation

/// A local temporary folder, readable by its owner alone, for files from elsewhere.
struct TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(RandomText.hex(bytes: 8))").path()
        try Folder.make(path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
