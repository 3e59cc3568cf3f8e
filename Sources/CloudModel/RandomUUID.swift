/// Random UUIDs (RFC 9562 §5.4) as lower-case text. Foundation opens a device for each UUID, which shows in a busy server.
package enum RandomUUID {
    package static func make(_ use: RandomBits.Use = .others) -> String {
        var (high, low) = RandomBits.pair(use)
        high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = (hex(high >> 32), hex(high), hex(low >> 32), hex(low))
        return String(unsafeUninitializedCapacity: 36) { text in
            let text = UnsafeMutableRawBufferPointer(text)
            text.storeBytes(of: digits.0.bigEndian, as: UInt64.self)
            put(digits.1 >> 32, at: 9, of: text)
            put(digits.1, at: 14, of: text)
            put(digits.2 >> 32, at: 19, of: text)
            put(digits.2, at: 24, of: text)
            text.storeBytes(of: digits.3.bigEndian, toByteOffset: 28, as: UInt64.self)
            return 36
        }
    }

    /// Writes a dash before `offset`, and the low four digits from there.
    private static func put(_ digits: UInt64, at offset: Int, of text: UnsafeMutableRawBufferPointer) {
        text[offset - 1] = UInt8(ascii: "-")
        text.storeBytes(of: UInt32(truncatingIfNeeded: digits).bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// The low 32 bits as eight digits, the first in the highest byte.
    private static func hex(_ bits: UInt64) -> UInt64 {
        var halves = bits & 0xFFFF_FFFF
        halves = (halves | halves << 16) & 0x0000_FFFF_0000_FFFF
        halves = (halves | halves << 8) & 0x00FF_00FF_00FF_00FF
        halves = (halves | halves << 4) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = (halves + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return halves + 0x3030_3030_3030_3030 + letters * UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
    }
}
