import CZlib
package import CloudModel
package import NIOCore

/// A sequential output for bytes.
package protocol ByteSink {
    mutating func write(_ bytes: ByteBuffer) async throws
}

/// Writes a zip file entry by entry. Memory grows by a few hundred bytes per entry.
package struct ZipWriter<Sink: ByteSink> {
    private var sink: Sink
    private var directory = ZipDirectory()

    package init(to sink: Sink) { self.sink = sink }

    /// Writes an in-memory file.
    package mutating func add(_ name: String, _ content: ByteBuffer, modified: Timestamp) async throws {
        let checksum = content.withUnsafeReadableBytes {
            crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count))
        }
        let entry = ZipEntry(
            name: name, size: UInt64(content.readableBytes), crc32: UInt32(truncatingIfNeeded: checksum),
            modified: modified)
        try await sink.write(ByteBuffer(bytes: directory.add(entry)))
        try await sink.write(content)
    }

    /// Writes a file from a stream.
    ///
    /// - Parameter entry: contains the size and checksum of the coming bytes.
    package mutating func add(_ entry: ZipEntry, _ content: any AssetBytes) async throws {
        try await sink.write(ByteBuffer(bytes: directory.add(entry)))
        for try await piece in content { try await sink.write(piece) }
    }

    /// Writes the central directory. Must be the last call.
    package mutating func finish() async throws {
        try await sink.write(ByteBuffer(bytes: directory.end()))
    }
}
