import CloudAssets
import CloudModel
import CloudSQL
import CloudStore

/// Imports asset contents, each asset once.
struct ImportedAssets: Sendable {
    let folder: ExportFolder
    let store: StoredEnvironment
    let missing: Set<String>

    /// - Throws: ``TransferLine/Fault`` when the contents are missing or do not match the line.
    func take(_ line: TransferLine) async throws {
        try line.allow(["fileChecksum", "size", "file"])
        let checksum = try line.text("fileChecksum")
        let size = try line.integer("size", in: TransferLine.numbers)
        guard let key = AssetKey(checksum), try line.text("file") == key.text else {
            throw TransferLine.Fault(reason: "fileChecksum and file are not those of one asset")
        }
        if try await EnvironmentStore(stored: store).assets.find(key) != nil { return }
        let file = "\(ExportFolder.assets)/\(key.text)"
        guard let contents = try FileReader(path: folder.asset(key.text)) else {
            guard missing.contains(checksum) else { throw TransferLine.Fault(reason: "\(file) is not there") }
            return try await takeLost(key, size)
        }
        guard contents.size == size else {
            throw TransferLine.Fault(reason: "\(file) has \(contents.size) bytes, and should have \(size)")
        }
        try await store.assets.take(contents.bytes(), limit: .max) { taken in
            guard taken.description.key == key else {
                throw TransferLine.Fault(
                    reason: "\(file) is damaged: its checksum is \(taken.description.key.fileChecksum)")
            }
            try await store.writes.write(for: nil) { _ = try AssetTable.insert(taken, $0.db) }
            return (true, ())
        }
    }

    /// Imports an asset whose contents were lost before the export. Records keep naming it, and a new upload restores
    /// it.
    private func takeLost(_ key: AssetKey, _ size: Int64) async throws {
        let lost = TakenAsset(
            file: AssetFile.unused(),
            description: AssetDescription(
                key: key, size: size, crc32: 0, contentType: ContentType.unknown, imageSize: nil))
        try await store.writes.write(for: nil) { _ = try AssetTable.insert(lost, $0.db) }
    }
}
