/// Random UUIDs (RFC 9562 §5.4) as lower-case text. Foundation opens a device for each UUID, which shows in a busy server.
package enum RandomUUID {
    package static func make(_ use: RandomBits.Use = .others) -> String {
        var (high, low) = RandomBits.pair(use)
        high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return String(unsafeUninitializedCapacity: 36) { text in
            var index = 0
            for byte in 0..<16 {
                if byte == 4 || byte == 6 || byte == 8 || byte == 10 {
                    text[index] = UInt8(ascii: "-")
                    index += 1
                }
                let value = UInt8(truncatingIfNeeded: (byte < 8 ? high : low) >> UInt64(56 - byte % 8 * 8))
                text[index] = digit(value >> 4)
                text[index + 1] = digit(value & 15)
                index += 2
            }
            return index
        }
    }

    private static func digit(_ half: UInt8) -> UInt8 {
        half + (half < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
