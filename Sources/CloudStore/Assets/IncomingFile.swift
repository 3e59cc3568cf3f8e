import CZlib
import CloudModel
import Crypto
import Foundation
import NIOCore

/// An asset on its way to disk, hashed as it is written.
final class IncomingFile: @unchecked Sendable {
    // Used by one task at a time, which waits for each step: nothing here is touched by two at once.

    /// Large enough that a step costs more than going to another thread for it, and to hold every header there is.
    private static let largestStep = ImageSize.prefix

    private let path: String
    private var descriptor: Int32
    private var pending = ByteBuffer()
    private var sha256 = SHA256()
    private var crc: UInt = 0
    private var head: [UInt8] = []
    private var written: Int64 = 0

    init(path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault.last("open") }
    }

    deinit { discard() }

    /// Bytes so far.
    var count: Int { Int(written) + pending.readableBytes }

    /// Takes a chunk; answers whether it is time to write.
    func collect(_ chunk: ByteBuffer) -> Bool {
        pending.writeImmutableBuffer(chunk)
        return pending.readableBytes >= Self.largestStep
    }

    /// Writes what was collected. Blocks.
    func write() throws {
        if written == 0 { head = Array(pending.readableBytesView.prefix(ImageSize.prefix)) }
        try pending.withUnsafeReadableBytes { bytes in
            sha256.update(bufferPointer: bytes)
            crc = crc32(crc, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                guard count > 0 else {
                    if count < 0 && errno == EINTR { continue }
                    throw FileFault.last("write")
                }
                rest = rest.dropFirst(count)
            }
        }
        written += Int64(pending.readableBytes)
        pending.clear()
    }

    /// Writes the rest, puts all of it on disk and gives it its name. Blocks.
    func finish(as final: String) throws -> AssetDescription {
        if pending.readableBytes > 0 { try write() }
        guard fsync(descriptor) == 0 else { throw FileFault.last("fsync") }
        guard rename(path, final) == 0 else { throw FileFault.last("rename") }
        try Folder.syncParent(of: final)
        close(descriptor)
        descriptor = -1
        let type = ContentType.sniff(head)
        return AssetDescription(
            key: AssetKey(sha256: Array(sha256.finalize())), size: written, crc32: UInt32(truncatingIfNeeded: crc),
            contentType: type, imageSize: ImageSize(head, type: type))
    }

    /// Leaves nothing behind, unless it is finished.
    func discard() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        unlink(path)
    }
}
