/// Bytes that can be read at any position, such as a file.
package protocol ByteSource {
    /// The number of bytes.
    var count: Int { get }

    /// - Parameter range: within `0..<count`.
    /// - Returns: fewer bytes if the source was shortened meanwhile.
    func read(_ range: Range<Int>) throws -> [UInt8]
}

/// Bytes in memory as a source.
package struct MemorySource: ByteSource {
    private let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var count: Int { bytes.count }

    package func read(_ range: Range<Int>) -> [UInt8] { Array(bytes[range.clamped(to: 0..<bytes.count)]) }
}

/// The most that one scan reads from a source.
package struct ReadLimits: Hashable, Sendable {
    /// Calls of ``ByteSource/read(_:)``.
    package let reads: Int
    /// Bytes of all reads together.
    package let bytes: Int

    package init(reads: Int = 4096, bytes: Int = 16 << 20) {
        self.reads = reads
        self.bytes = bytes
    }
}

/// Why a scan stopped before the end of the metadata.
package enum MediaFault: String, Error, Hashable, Sendable {
    /// A length points behind the end of the file or of its container.
    case truncated
    /// A structure contradicts its format, or refers to itself.
    case broken
    /// ``ReadLimits`` were reached, or a structure has more parts than the reader follows.
    case limit
    /// The source could not be read.
    case unreadable
}
