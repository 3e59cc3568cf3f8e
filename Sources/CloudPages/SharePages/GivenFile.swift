import CloudAssets
import CloudMedia
import CloudModel
import CloudStore

/// A file in the form in which a visitor gets it.
struct GivenFile: Sendable {
    let file: PageFile
    /// Nil for an unchanged file.
    let removal: FileFacts?

    /// CRC-32 of the given bytes.
    var checksum: UInt32 { removal?.placelessChecksum ?? file.asset.crc32 }

    /// The text of the entity tag: it changes with the bytes.
    var tag: String { removal == nil ? file.asset.key.text : "\(file.asset.key.text)-placeless" }

    /// The file's contents; nil if they are lost.
    func open(in store: EnvironmentStore) async throws -> (any AssetReading)? {
        let contents = try await store.assets.open(file.asset.key)
        guard let contents, let removal else { return contents }
        return PlacelessContents(contents, without: removal.removal)
    }
}
