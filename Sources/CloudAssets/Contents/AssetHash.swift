import CloudCrypto
package import NIOCore

/// Computes the SHA-256 of an asset's bytes in a single pass.
package struct AssetHash: Sendable {
    private var sha256 = SHA256()

    package init() {}

    /// Hashes the next bytes.
    package mutating func update(_ bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { sha256.update(bufferPointer: $0) }
    }

    /// SHA-256 of the bytes so far.
    package var checksum: [UInt8] { Array(sha256.finalize()) }
}
