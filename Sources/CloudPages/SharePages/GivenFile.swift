import CloudAssets
import CloudMedia
import CloudModel
import CloudStore

/// A file in the form in which a visitor gets it.
struct GivenFile: Sendable {
    let file: PageFile
    /// Nil for a file that is given as it is.
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

extension SharedPage {
    /// False for a picture or video that may tell the visitor its place in bytes that were not found.
    func mayGive(_ file: PageFile) -> Bool { showsPlaces || file.facts?.removal.isCertain != false }

    /// A file as the visitor gets it, read now if that has not been done; nil for a file that is not given.
    ///
    /// - Throws: errors of reading it.
    func given(_ file: PageFile) async throws -> GivenFile? {
        if showsPlaces { return GivenFile(file: file, removal: nil) }
        let facts = file.isWaiting ? try await store.assets.facts(of: file.asset.key) : file.facts
        guard let facts, facts.removal.isCertain else { return nil }
        return GivenFile(file: file, removal: facts.tellsPlace ? facts : nil)
    }
}
