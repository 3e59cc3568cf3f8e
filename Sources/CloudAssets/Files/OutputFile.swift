import CLinux
import Foundation
package import NIOCore

/// A new file, written sequentially.
package final class OutputFile: Sendable {
    private let descriptor: Int32

    /// - Throws: ``AssetStoreFull`` for a full disk, as all functions here; ``FileFault`` if the file exists.
    package init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault.last("open") }
    }

    deinit { close(descriptor) }

    /// Appends bytes. Blocks.
    package func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { bytes in
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
        beginWriteback()
    }

    /// Starts writeback, which shortens a later ``sync()``. Guarantees nothing.
    private func beginWriteback() {
        _ = clinux_begin_writeback(descriptor)
    }

    /// Syncs the written bytes. Blocks.
    package func sync() throws {
        guard fsync(descriptor) == 0 else { throw FileFault.last("fsync") }
    }
}
