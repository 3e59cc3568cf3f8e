import CloudAssets
import CloudEngine
import CloudModel

/// The files of a data folder that tests use.
struct EmulatorFiles {
    let data: DataFolder

    private var folder: String { data.path + "/emulator" }

    /// The template of an empty environment.
    var emptyRecordsFile: String { folder + "/empty.sqlite" }

    /// A temporary database of the emulator.
    func unfinishedFile(container: Int64, environment: ContainerEnvironment) -> String {
        "\(folder)/\(container)-\(environment.rawValue)-unfinished.sqlite"
    }

    func snapshotFile(_ name: SnapshotName, container: Int64, environment: ContainerEnvironment) -> String {
        snapshotFiles(container, environment) + name.hex + Self.suffix
    }

    func snapshots(container: Int64, environment: ContainerEnvironment) throws -> [SnapshotName] {
        let start = snapshotFiles(container, environment)
        return try data.engine.locations.databases(beginningWith: start).map {
            try SnapshotName(hex: $0.dropFirst(start.count).dropLast(Self.suffix.count))
        }.sorted()
    }

    /// Makes the emulator's folder.
    func makeFolder() throws { try Folder.make(folder, in: data.path) }

    /// The name prefix of asset folders that belong to a container's snapshots.
    static func snapshotAssets(container: Int64) -> String { "snapshot-\(container)-" }

    /// Deletes a container's snapshot databases.
    func removeSnapshots(ofContainer container: Int64) throws {
        for database in try data.engine.locations.databases(beginningWith: "\(folder)/\(container)-") {
            try data.engine.locations.remove(database)
        }
    }

    private func snapshotFiles(_ container: Int64, _ environment: ContainerEnvironment) -> String {
        "\(folder)/\(container)-\(environment.rawValue)-snapshot-"
    }

    private static let suffix = ".sqlite"
}

extension DataFolder {
    var emulator: EmulatorFiles { EmulatorFiles(data: self) }
}
