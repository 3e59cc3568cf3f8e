import CloudAssets
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a file of lines. The file gets its final name after the last line is synced to disk.
package final class LineWriter {
    /// The file name suffix during writing.
    package static let unfinished = ".partial"

    /// A system error during writing.
    package struct Fault: Error, CustomStringConvertible {
        let path: String
        /// The `errno` value.
        let code: Int32

        package var isFull: Bool { code == ENOSPC || code == EDQUOT }
        package var description: String { "\(path) cannot be written: \(String(cString: strerror(code)))" }
    }

    private static let chunk = 1 << 20

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    package init(path: String) throws {
        self.path = path
        descriptor = open(path + Self.unfinished, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Fault(path: path, code: errno) }
        buffer.reserveCapacity(Self.chunk + (1 << 16))
    }

    deinit { close(descriptor) }

    package func append(_ line: [UInt8]) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.chunk { try flush() }
    }

    package func finish() throws {
        try flush()
        guard fsync(descriptor) == 0, rename(path + Self.unfinished, path) == 0 else {
            throw Fault(path: path, code: errno)
        }
    }

    /// Writes a small file at once.
    package static func save(_ bytes: [UInt8], as path: String) throws {
        let writer = try LineWriter(path: path)
        writer.buffer = bytes
        try writer.finish()
        try Folder.syncParent(of: path)
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 && errno == EINTR { continue }
                guard written > 0 else { throw Fault(path: path, code: errno) }
                rest = rest.dropFirst(written)
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
