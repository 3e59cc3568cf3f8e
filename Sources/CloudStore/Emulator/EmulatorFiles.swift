import CloudAssets
import CloudModel

/// Files that tests keep in a data folder beside the environments.
extension DataFolder {
    private var emulatorFolder: String { path + "/emulator" }

    /// An environment with nothing in it but what each has from the beginning, to be copied.
    var emptyRecordsFile: String { emulatorFolder + "/empty.sqlite" }

    /// A file of the emulator's on its way.
    func unfinishedFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(emulatorFolder)/\(container)-\(environment.rawValue)-unfinished.sqlite"
    }

    func snapshotFile(_ name: SnapshotName, container: Int64, environment: ContainerEnvironment) -> String {
        snapshotFiles(container, environment) + name.hex + Self.suffix
    }

    func snapshots(container: Int64, environment: ContainerEnvironment) throws -> [SnapshotName] {
        let start = snapshotFiles(container, environment)
        return try engine.databases(beginningWith: start).map {
            try SnapshotName(hex: $0.dropFirst(start.count).dropLast(Self.suffix.count))
        }.sorted()
    }

    /// Makes the folder of the emulator's files.
    func makeEmulatorFolder() throws { try Folder.make(emulatorFolder, in: path) }

    /// The prefix of the names of folders with a container's snapshots of assets.
    static func snapshotAssets(container: Int64) -> String { "snapshot-\(container)-" }

    /// Takes away the snapshots of a container's records.
    func removeSnapshots(ofContainer container: Int64) throws {
        for database in try engine.databases(beginningWith: "\(emulatorFolder)/\(container)-") {
            try engine.remove(database)
        }
    }

    private func snapshotFiles(_ container: Int64, _ environment: ContainerEnvironment) -> String {
        "\(emulatorFolder)/\(container)-\(environment.rawValue)-snapshot-"
    }

    private static let suffix = ".sqlite"
}
