import CloudCrypto
import NIOCore
import NIOPosix

extension AssetReading {
    /// Copies the contents to a new file, whose name is not synced.
    ///
    /// - Parameter isSynced: whether to sync the bytes.
    /// - Returns: the SHA-256 of the contents.
    /// - Throws: ``AssetStoreFull``; read errors. A partial file stays.
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
