import CloudModel
import GRDB

/// Takes the contents of an export's assets into an environment, each once.
struct ImportedAssets: Sendable {
    let folder: ExportFolder
    let store: SQLiteRecordStore
    let missing: Set<String>

    /// - Throws: ``TransferLine/Fault`` when the contents are not there, or are not what the line says.
    func take(_ line: TransferLine) async throws {
        let checksum = try line.text("fileChecksum")
        let size = try line.integer("size", in: 0...Int64.max)
        if missing.contains(checksum) { return }
        guard let key = AssetKey(checksum), try line.text("file") == key.text else {
            throw TransferLine.Fault(reason: "fileChecksum and file are not those of one asset")
        }
        if try await store.asset(key) != nil { return }
        let file = "\(ExportFolder.assets)/\(key.text)"
        guard let contents = try AssetReader(path: folder.asset(key.text)) else {
            throw TransferLine.Fault(reason: "\(file) is not there")
        }
        guard contents.size == size else {
            throw TransferLine.Fault(reason: "\(file) has \(contents.size) bytes, and should have \(size)")
        }
        try await store.assets.take(contents.bytes(), limit: .max) { taken in
            guard taken.description.key == key else {
                throw TransferLine.Fault(
                    reason: "\(file) is damaged: its checksum is \(taken.description.key.fileChecksum)")
            }
            try await store.writes.write { _ = try AssetTable.insert(taken, $0.db) }
            return (true, ())
        }
    }
}
