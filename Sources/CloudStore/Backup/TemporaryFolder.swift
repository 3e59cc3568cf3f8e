import CloudAssets
import Foundation

/// A folder of this machine that is its owner's alone, for as long as something is done with files from elsewhere.
struct TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(RandomText.hex(bytes: 8))").path()
        try Folder.make(path)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
