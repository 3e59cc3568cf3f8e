import CloudModel
import Foundation
import NIOCore
import NIOPosix

/// An incoming asset, hashed while being written to disk.
final class IncomingFile: @unchecked Sendable {
    // A single step is written at a time, and only that step uses the output, the hash and the facts.

    /// Large enough to outweigh the cost of switching threads.
    private static let largestStep = 256 << 10

    private let path: String
    private let output: OutputFile
    private var isDone = false
    private var hash = AssetHash()
    private var facts = AssetFacts()

    init(path: String) throws {
        self.path = path
        output = try OutputFile(path: path)
    }

    deinit { discard() }

    /// SHA-256 of the written bytes.
    var checksum: [UInt8] { hash.checksum }

    /// Writes the contents. Each step is hashed and written while the next arrives, so at most two steps are in memory.
    ///
    /// - Throws: ``AssetTooLarge`` above `limit` bytes; ``AssetStoreFull``; errors of the contents.
    func write<Contents: AsyncSequence>(_ contents: Contents, limit: Int) async throws -> AssetDescription
    where Contents.Element == ByteBuffer {
        var step = ByteBuffer()
        var count = 0
        var writing: Task<Void, any Error>?
        do {
            for try await chunk in contents {
                count += chunk.readableBytes
                guard count <= limit else { throw AssetTooLarge(limit: limit) }
                // The file exceeds a single chunk.
                if count > chunk.readableBytes { step.reserveCapacity(Self.largestStep) }
                step.writeImmutableBuffer(chunk)
                if step.readableBytes < Self.largestStep { continue }
                try await writing?.value
                writing = writeApart(step)
                step = ByteBuffer()
            }
            try await writing?.value
        } catch {
            _ = await writing?.result
            throw error
        }
        try await writeApart(step).value
        return facts.description(hash.checksum)
    }

    private func writeApart(_ step: ByteBuffer) -> Task<Void, any Error> {
        Task {
            let threads = NIOThreadPool.singleton
            async let hashing: Void = threads.runIfActive { self.hash.update(step) }
            try await threads.runIfActive {
                self.facts.update(step)
                try self.output.write(step)
            }
            try await hashing
        }
    }

    /// Syncs the file and renames it to its final name. Blocks.
    func finish(as final: String) throws {
        try output.sync()
        guard rename(path, final) == 0 else { throw FileFault.last("rename") }
        isDone = true
        try Folder.syncParent(of: final)
    }

    /// Deletes the file, unless finished.
    func discard() {
        guard !isDone else { return }
        isDone = true
        unlink(path)
    }
}
