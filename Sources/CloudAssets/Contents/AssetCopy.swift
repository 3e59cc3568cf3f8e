import CloudCrypto
import NIOCore
import NIOPosix

extension AssetReading {
    /// Writes all of the contents to a new file. Its name is not synced.
    ///
    /// - Parameter isSynced: whether the bytes are on disk at the end.
    /// - Returns: the SHA-256 of the contents.
    /// - Throws: ``AssetStoreFull``; what reading throws. What was written stays.
    @discardableResult
    package func copy(to path: String, isSynced: Bool) async throws -> [UInt8] {
        let threads = NIOThreadPool.singleton
        let output = try await threads.runIfActive { try OutputFile(path: path) }
        var sha256 = SHA256()
        for try await piece in bytes() {
            piece.withUnsafeReadableBytes { sha256.update(bufferPointer: $0) }
            try await threads.runIfActive { try output.write(piece) }
        }
        if isSynced { try await threads.runIfActive { try output.sync() } }
        return Array(sha256.finalize())
    }

    /// The SHA-256 of the contents; reads all of them.
    package func sha256() async throws -> [UInt8] {
        var sha256 = SHA256()
        for try await piece in bytes() { piece.withUnsafeReadableBytes { sha256.update(bufferPointer: $0) } }
        return Array(sha256.finalize())
    }
}
