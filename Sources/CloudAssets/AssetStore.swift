import CloudModel
package import NIOCore

/// The bytes of one environment's assets, under names of the store's own.
///
/// It knows nothing of records: what is still referred to is the record store's to say. A store that cannot be reached
/// throws `TRY_AGAIN_LATER`.
package protocol AssetStore: Sendable {
    /// Takes contents in as they come, with memory that does not grow with them, and lets `keep` decide.
    ///
    /// When `keep` is called the contents are safe from a power cut. They are dropped again when it answers false or
    /// throws, as is everything when the contents end with an error.
    ///
    /// - Throws: ``AssetTooLarge`` past `limit` bytes; ``AssetStoreFull``; what `contents` and `keep` throw.
    func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer

    /// Opens contents for reading; nil when they are gone.
    func open(_ file: AssetFile) async throws -> (any AssetReading)?

    /// Drops contents.
    func delete(_ file: AssetFile) async throws

    /// Drops whatever `known` does not name, and what never arrived whole: a crash may have left both behind.
    ///
    /// - Parameter known: those of the given ones that are to stay.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws
}

/// The name of stored contents: random, and never used for others.
package struct AssetFile: Hashable, Sendable {
    package let name: String

    package init(name: String) { self.name = name }

    /// A name nobody has used.
    package static func unused() -> AssetFile { AssetFile(name: RandomUUID.make(.names).filter { $0 != "-" }) }
}

/// Contents just taken in, and what was learned of them on the way.
package struct TakenAsset: Hashable, Sendable {
    package let file: AssetFile
    package let description: AssetDescription

    package init(file: AssetFile, description: AssetDescription) {
        self.file = file
        self.description = description
    }
}

/// Contents have more bytes than they may.
package struct AssetTooLarge: Error {
    /// The most bytes it may have.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }
}
