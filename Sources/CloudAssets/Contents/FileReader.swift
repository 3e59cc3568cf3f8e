import CLinux
import Foundation
package import NIOCore
import NIOPosix

/// A file open for reading. Stays readable after deletion, for this object's lifetime.
package final class FileReader: AssetReading {
    private let path: String
    private let descriptor: Int32
    private let slot: FileSlot?
    /// Bytes.
    package let size: Int64

    /// - Parameter slots: the limit on open files; the reader holds a slot for its lifetime.
    /// - Returns: nil if the file does not exist.
    package init?(path: String, slots: FileSlots? = nil) throws {
        self.path = path
        slot = try slots?.take()
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw FileFault.last("open")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FileFault.last("fstat")
        }
        self.descriptor = descriptor
        size = Int64(status.st_size)
    }

    deinit { close(descriptor) }

    package var file: FileReader? { self }

    package func bytes(in range: Range<Int64>) -> any AssetBytes { FileBytes(reader: self, range: range) }

    /// Makes a hard link to the file.
    ///
    /// - Returns: false on failure.
    package func link(as name: String) -> Bool { Foundation.link(path, name) == 0 }

    /// A duplicate descriptor, for sendfile. The caller closes it.
    package func fileHandle() throws -> NIOFileHandle {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileFault.last("fcntl") }
        return NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: copy)
    }

    /// Starts readahead of a range about to be sent.
    ///
    /// - Throws: if the file has shrunk; sending the missing part would never finish.
    package func prepare(_ range: Range<Int64>) async throws {
        try await NIOThreadPool.singleton.runIfActive { [descriptor] in
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw FileFault.last("fstat") }
            guard Int64(status.st_size) >= range.upperBound else { throw FileFault(call: "fstat", code: 0) }
            clinux_begin_reading(descriptor, range.lowerBound, Int64(range.count))
        }
    }

    /// Appends a chunk to `buffer`; appends nothing at the end of the file.
    fileprivate func read(_ count: Int, at offset: Int64, into buffer: inout ByteBuffer) throws {
        var failure: (any Error)?
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            while true {
                let read = pread(descriptor, bytes.baseAddress, count, off_t(offset))
                if read >= 0 { return read }
                if errno == EINTR { continue }
                failure = FileFault.last("pread")
                return 0
            }
        }
        if let failure { throw failure }
    }
}

private struct FileBytes: AsyncSequence, Sendable {
    private static let chunk: Int64 = 256 << 10
    fileprivate let reader: FileReader
    fileprivate let range: Range<Int64>

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader, rest: range) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: FileReader
        fileprivate var rest: Range<Int64>
        // Double buffering: the disk fills one chunk while the network sends the other.
        private var (now, later) = (Chunk(), Chunk())

        fileprivate init(reader: FileReader, rest: Range<Int64>) {
            self.reader = reader
            self.rest = rest
        }

        /// - Throws: if reading fails or the file has shrunk.
        mutating func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            let count = Int(Swift.min(FileBytes.chunk, Int64(rest.count)))
            let (reader, offset, chunk) = (reader, rest.lowerBound, later)
            let bytes = try await NIOThreadPool.singleton.runIfActive {
                try chunk.fill(count, from: reader, at: offset)
            }
            guard bytes.readableBytes > 0 else { throw FileFault(call: "pread", code: 0) }
            (now, later) = (later, now)
            rest = rest.lowerBound + Int64(bytes.readableBytes)..<rest.upperBound
            return bytes
        }
    }
}

/// A reusable buffer for a part of a file; reused after its reader releases the bytes.
private final class Chunk: @unchecked Sendable {
    // A single thread at a time fills the buffer, while the reading task waits. Passing the buffer between closures would give
    // it two owners and cause a copy before each use.
    private var buffer = ByteBuffer()

    func fill(_ count: Int, from reader: FileReader, at offset: Int64) throws -> ByteBuffer {
        buffer.clear(minimumCapacity: count)
        try reader.read(count, at: offset, into: &buffer)
        return buffer
    }
}
