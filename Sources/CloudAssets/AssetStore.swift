import CloudModel
package import NIOCore

/// The asset bytes of an environment, under file names that the store chooses.
///
/// The store knows nothing of records: the record store decides which files are still in use. An unreachable store throws
/// `TRY_AGAIN_LATER`.
package protocol AssetStore: Sendable {
    /// Streams contents into a file in constant memory, then lets `keep` decide.
    ///
    /// The contents are durable before `keep` is called. The file is deleted if `keep` returns false or throws, or if the
    /// contents end with an error.
    ///
    /// - Throws: ``AssetTooLarge`` past `limit` bytes; ``AssetStoreFull``; errors of `contents` and `keep`.
    func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer

    /// Opens contents for reading; nil for deleted contents.
    func open(_ file: AssetFile) async throws -> (any AssetReading)?

    /// Deletes contents.
    func delete(_ file: AssetFile) async throws

    /// Deletes unknown files and incomplete uploads, which a crash may have left behind.
    ///
    /// - Parameter known: returns the subset of files to keep.
    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws
}

/// The name of stored contents: random, never reused.
package struct AssetFile: Hashable, Sendable {
    package let name: String

    package init(name: String) { self.name = name }

    /// A fresh, unique name.
    package static func unused() -> AssetFile { AssetFile(name: RandomUUID.make(.names).filter { $0 != "-" }) }
}

/// Newly stored contents and the facts learned while storing them.
package struct TakenAsset: Hashable, Sendable {
    package let file: AssetFile
    package let description: AssetDescription

    package init(file: AssetFile, description: AssetDescription) {
        self.file = file
        self.description = description
    }
}

/// The contents exceed the size limit.
package struct AssetTooLarge: Error {
    /// The size limit in bytes.
    package let limit: Int

    package init(limit: Int) { self.limit = limit }
}
