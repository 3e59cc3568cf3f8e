package import CloudModel
package import NIOCore

/// Where the bytes of assets are kept, under names of the store's own. Files today; S3 comes behind the same protocol.
///
/// It knows nothing of records: what is still referred to is the record store's to say.
package protocol AssetStore: Sendable {
    /// For every file that is read.
    var slots: FileSlots { get }

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
    func open(_ file: AssetFile) async throws -> AssetReader?

    /// Runs `body` with contents as a file of this machine.
    ///
    /// - Returns: nil when the contents are gone.
    func withLocalFile<T: Sendable>(
        _ file: AssetFile, _ body: @Sendable (_ path: String) async throws -> T
    ) async throws -> T?

    /// Drops contents. Who is reading them goes on.
    func delete(_ file: AssetFile) async throws

    /// Drops whatever `known` does not name, which a crash has left behind.
    ///
    /// - Parameter known: those of the given ones that are to stay.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws
}

/// The name of stored contents: random, and never used for others.
package struct AssetFile: Hashable, Sendable {
    package let name: String

    package init(name: String) { self.name = name }
}

/// Contents just taken in, and what was learned of them on the way.
package struct TakenAsset: Hashable, Sendable {
    package let file: AssetFile
    package let description: AssetDescription
}

/// What is known of an asset beside its bytes.
package struct AssetDescription: Hashable, Sendable {
    package let key: AssetKey
    /// Bytes.
    package let size: Int64
    package let crc32: UInt32
    /// Media type, told by the first bytes (``ContentType``).
    package let contentType: String
    /// In pixels, orientation applied; nil when it is no picture or its header does not say.
    package let imageSize: ImageSize?
}

package struct AssetTooLarge: Error {
    package init() {}
}
