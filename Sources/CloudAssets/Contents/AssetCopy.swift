import NIOCore
import NIOPosix

extension AssetReading {
    /// Writes all of the contents to a new file. Its name is not synced.
    ///
    /// - Parameter isSynced: whether the bytes are on disk at the end.
    /// - Throws: ``AssetStoreFull``; what reading throws. What was written stays.
    package func copy(to path: String, isSynced: Bool) async throws {
        let threads = NIOThreadPool.singleton
        let output = try await threads.runIfActive { try OutputFile(path: path) }
        for try await piece in bytes() { try await threads.runIfActive { try output.write(piece) } }
        if isSynced { try await threads.runIfActive { try output.sync() } }
    }
}
