/// Random UUIDs (RFC 9562 §5.4) as lower-case text. Foundation's open a device for each, which shows in a busy server.
package enum RandomUUID {
    package static func make(_ use: RandomBits.Use = .others) -> String {
        var (high, low) = RandomBits.pair(use)
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
