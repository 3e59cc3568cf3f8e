import CZlib
import CloudModel
package import NIOCore

/// Computes an asset's properties from its bytes in a single pass.
package struct AssetFacts: Sendable {
    private var crc: UInt = 0
    private var head: [UInt8] = []
    /// Bytes so far.
    private var size: Int64 = 0

    package init() {}

    /// Processes the next bytes; fewer than 4 GB.
    package mutating func update(_ bytes: ByteBuffer) {
        let missing = ImageSize.prefix - head.count
        if missing > 0 { head += bytes.readableBytesView.prefix(missing) }
        bytes.withUnsafeReadableBytes { bytes in
            crc = crc32(crc, bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count))
        }
        size += Int64(bytes.readableBytes)
    }

    /// Describes the bytes so far. `checksum` is their SHA-256.
    package func description(_ checksum: [UInt8]) -> AssetDescription {
        let type = ContentType.sniff(head)
        return AssetDescription(
            key: AssetKey(sha256: checksum), size: size, crc32: UInt32(truncatingIfNeeded: crc),
            contentType: type, imageSize: ImageSize(head, type: type))
    }
}
