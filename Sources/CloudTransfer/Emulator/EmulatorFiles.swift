import CloudAssets
import CloudModel

/// Test files in the data folder.
extension DataFolder {
    private var emulatorFolder: String { path + "/emulator" }

    /// The template of an empty environment.
    var emptyRecordsFile: String { emulatorFolder + "/empty.sqlite" }

    /// A temporary database of the emulator.
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

    /// Makes the emulator's folder.
    func makeEmulatorFolder() throws { try Folder.make(emulatorFolder, in: path) }

    /// The name prefix of asset folders that belong to a container's snapshots.
    static func snapshotAssets(container: Int64) -> String { "snapshot-\(container)-" }

    /// Deletes a container's snapshot databases.
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
