import CloudModel
import Foundation
import NIOCore
import NIOPosix

/// An asset on its way to disk, hashed as it is written.
final class IncomingFile: @unchecked Sendable {
    // One step is written at a time, and nobody else touches the output, the hash and the facts meanwhile.

    /// Large enough that a step costs more than going to another thread for it.
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

    /// SHA-256 of what was written.
    var checksum: [UInt8] { hash.checksum }

    /// Writes all contents. One step is hashed and written while the next arrives, so two steps are in memory at most.
    ///
    /// - Throws: ``AssetTooLarge`` for more than `limit` bytes; ``AssetStoreFull``; what the contents throw.
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

    /// Leaves nothing behind, unless it is finished.
    func discard() {
        guard !isDone else { return }
        isDone = true
        unlink(path)
    }
}
