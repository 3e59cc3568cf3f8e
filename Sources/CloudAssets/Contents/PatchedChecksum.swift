import CZlib

/// Computes the CRC-32 of contents with some bytes overwritten, without reading the rest of them.
package enum PatchedChecksum {
    /// A part of the contents, with the exclusive or of its old and its new bytes.
    package struct Difference: Sendable {
        let at: Int64
        let bytes: [UInt8]

        package init(at: Int64, bytes: [UInt8]) {
            self.at = at
            self.bytes = bytes
        }
    }

    /// - Parameters:
    ///   - old: the checksum of the contents as they are.
    ///   - size: the bytes of the contents.
    ///   - differences: in order, inside the contents and apart from each other.
    package static func make(_ old: UInt32, size: Int64, _ differences: [Difference]) -> UInt32 {
        // CRC-32 is affine: crc(a ^ b) = crc(a) ^ crc(b) ^ crc(0…0), all of equal length.
        var zeros = Zeros()
        var (sum, end): (UInt, Int64) = (0, 0)
        for difference in differences {
            sum = zeros.append(difference.at - end, to: sum)
            let part = difference.bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
            sum = crc32_combine(sum, part, difference.bytes.count)
            end = difference.at + Int64(difference.bytes.count)
        }
        sum = zeros.append(size - end, to: sum)
        return old ^ UInt32(truncatingIfNeeded: sum ^ zeros.append(size, to: 0))
    }

    /// Checksums of runs of zeros, whose lengths are powers of two.
    private struct Zeros {
        private var powers: [UInt] = [[UInt8(0)].withUnsafeBufferPointer { crc32(0, $0.baseAddress, 1) }]

        /// The checksum after `count` more zeros.
        mutating func append(_ count: Int64, to sum: UInt) -> UInt {
            var (sum, rest, power) = (sum, count, 0)
            while rest > 0 {
                if power == powers.count {
                    powers.append(crc32_combine(powers[power - 1], powers[power - 1], 1 << (power - 1)))
                }
                if rest & 1 == 1 { sum = crc32_combine(sum, powers[power], 1 << power) }
                rest >>= 1
                power += 1
            }
            return sum
        }
    }
}
