package import Foundation

/// A hash function with digests of at most 32 bytes.
package protocol HashFunction: Sendable {
    /// Bytes of a digest.
    static var digestByteCount: Int { get }
    /// The block size in bytes, at most 64.
    static var blockByteCount: Int { get }

    init()
    /// Hashes the next bytes of the message.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// The digest of the bytes so far; updates may continue.
    func finalize() -> Digest<Self>
}

extension HashFunction {
    /// Takes the next bytes of the message.
    package mutating func update(data: some ContiguousBytes) {
        data.withUnsafeBytes { update(bufferPointer: $0) }
    }

    /// The digest of a whole message.
    package static func hash(data: some ContiguousBytes) -> Digest<Self> {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }
}

/// The output of a hash function. Comparison takes constant time.
package struct Digest<Function: HashFunction>: Hashable, Sendable {
    // Zero beyond the function's bytes.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    package static var byteCount: Int { Function.digestByteCount }

    /// - Parameter write: writes ``byteCount`` bytes.
    init(_ write: (UnsafeMutableRawPointer) -> Void) {
        withUnsafeMutableBytes(of: &words) { bytes in
            if let start = bytes.baseAddress { write(start) }
        }
    }

    package static func == (left: Digest, right: Digest) -> Bool {
        let (left, right) = (left.words, right.words)
        return (left.0 ^ right.0) | (left.1 ^ right.1) | (left.2 ^ right.2) | (left.3 ^ right.3) == 0
    }

    package static func == (digest: Digest, bytes: [UInt8]) -> Bool {
        bytes.count == byteCount && zip(digest, bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension Digest: ContiguousBytes {
    package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words) { try body(UnsafeRawBufferPointer(rebasing: $0.prefix(Self.byteCount))) }
    }
}

extension Digest: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate let digest: Digest
        fileprivate var place = 0

        package mutating func next() -> UInt8? {
            guard place < Digest.byteCount else { return nil }
            defer { place += 1 }
            return digest.withUnsafeBytes { $0[place] }
        }
    }

    package func makeIterator() -> Iterator { Iterator(digest: self) }
    package var underestimatedCount: Int { Self.byteCount }
}
