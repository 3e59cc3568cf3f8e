import CZlib
import CloudModel
import Crypto
package import NIOCore

/// Learns what is known of an asset from its bytes as they pass.
package struct AssetDigest: Sendable {
    private var sha256 = SHA256()
    private var crc: UInt = 0
    private var head: [UInt8] = []
    /// Bytes so far.
    package private(set) var size: Int64 = 0

    package init() {}

    /// Takes the next bytes; fewer than 4 GB.
    package mutating func update(_ bytes: ByteBuffer) {
        let missing = ImageSize.prefix - head.count
        if missing > 0 { head += bytes.readableBytesView.prefix(missing) }
        bytes.withUnsafeReadableBytes { bytes in
            sha256.update(bufferPointer: bytes)
            crc = crc32(crc, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
        }
        size += Int64(bytes.readableBytes)
    }

    /// SHA-256 of the bytes so far.
    package var checksum: [UInt8] { Array(sha256.finalize()) }

    /// The description of the bytes so far.
    package var description: AssetDescription {
        let type = ContentType.sniff(head)
        return AssetDescription(
            key: AssetKey(sha256: checksum), size: size, crc32: UInt32(truncatingIfNeeded: crc),
            contentType: type, imageSize: ImageSize(head, type: type))
    }
}
