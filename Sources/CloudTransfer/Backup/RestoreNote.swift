import CloudAssets
import CloudEngine
import CloudModel
import Foundation

/// The note in a data folder that a restore is swapping its contents.
struct RestoreNote: Hashable, Sendable {
    /// The backup's name.
    let name: String
    /// The name of the subfolder for the previous contents.
    let aside: String

    /// The data folder's note; nil if no restore is under way.
    static func read(_ data: DataFolder) throws -> RestoreNote? {
        guard let bytes = FileManager.default.contents(atPath: data.restoreNote) else { return nil }
        guard let object = (try? JSONParser.parse(Array(bytes)))?.object, let name = object["name"]?.string,
            let aside = object["aside"]?.string, aside.hasPrefix("before-"), !aside.contains("/")
        else {
            throw TransferFault("\(data.restoreNote) is damaged; delete it, and run 'cumulus backup restore' again")
        }
        return RestoreNote(name: name, aside: aside)
    }

    func save(in data: DataFolder) throws {
        var writer = JSONWriter()
        writer.object {
            $0.member("name", name)
            $0.member("aside", aside)
        }
        try LineWriter.save(writer.bytes, as: data.restoreNote)
    }

    static func remove(from data: DataFolder) throws {
        try FileManager.default.removeItem(atPath: data.restoreNote)
        try Folder.sync(data.path)
    }
}

extension DataFolder {
    /// The staging folder for a restore.
    var restoreFolder: String { path + "/restore" }
}
