import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Random UUIDs (RFC 9562 §5.4) as lower-case text. Foundation's open a device for each, which shows in a busy server.
package enum RandomUUID {
    /// Random bits that the system has given and nobody has had. A call of the system for each UUID shows as well.
    private struct Pool {
        private var words = SIMD32<UInt64>(repeating: 0)
        private var left = 0

        mutating func next() -> UInt64 {
            if left == 0 {
                // 256 bytes, which is the most that one call gives and what it cannot fail to give.
                let code = withUnsafeMutableBytes(of: &words) { getentropy($0.baseAddress!, $0.count) }
                precondition(code == 0, "the system gives no random bits")
                left = words.scalarCount
            }
            left -= 1
            defer { words[left] = 0 }
            return words[left]
        }
    }

    private static let pool = Mutex(Pool())

    package static func make() -> String {
        var (high, low) = pool.withLock { ($0.next(), $0.next()) }
        high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return String(unsafeUninitializedCapacity: 36) { text in
            var index = 0
            for nibble in 0..<32 {
                if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                    text[index] = UInt8(ascii: "-")
                    index += 1
                }
                let half = nibble < 16 ? high : low
                text[index] = digits[Int(half >> UInt64(60 - nibble % 16 * 4) & 15)]
                index += 1
            }
            return index
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
