import CloudModel
import Foundation
import NIOCore

/// An asset on its way to disk, hashed as it is written.
final class IncomingFile: @unchecked Sendable {
    // Used by one task at a time, which waits for each step: nothing here is touched by two at once.

    /// Large enough that a step costs more than going to another thread for it.
    private static let largestStep = 256 << 10

    private let path: String
    private let output: OutputFile
    private var isDone = false
    private var pending = ByteBuffer()
    private var digest = AssetDigest()

    init(path: String) throws {
        self.path = path
        output = try OutputFile(path: path)
    }

    deinit { discard() }

    /// Bytes so far.
    var count: Int { Int(digest.size) + pending.readableBytes }

    /// SHA-256 of what was written.
    var checksum: [UInt8] { digest.checksum }

    /// Takes a chunk; answers whether it is time to write.
    func collect(_ chunk: ByteBuffer) -> Bool {
        pending.writeImmutableBuffer(chunk)
        return pending.readableBytes >= Self.largestStep
    }

    /// Writes what was collected. Blocks.
    func write() throws {
        digest.update(pending)
        try output.write(pending)
        pending.clear()
    }

    /// Writes the rest. Blocks.
    func finish() throws -> AssetDescription {
        if pending.readableBytes > 0 { try write() }
        return digest.description
    }

    /// Writes the rest, puts all of it on disk and gives it its name. Blocks.
    func finish(as final: String) throws -> AssetDescription {
        let description = try finish()
        try output.sync()
        guard rename(path, final) == 0 else { throw FileFault.last("rename") }
        isDone = true
        try Folder.syncParent(of: final)
        return description
    }

    /// Leaves nothing behind, unless it is finished.
    func discard() {
        guard !isDone else { return }
        isDone = true
        unlink(path)
    }
}
