/// Standard base64 (RFC 4648 §4), the wire's only form.
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var table = [UInt8](repeating: 0xFF, count: 256)
        for (value, letter) in alphabet.enumerated() { table[Int(letter)] = UInt8(value) }
        return table
    }()

    /// Canonical base64, with padding; nil for invalid base64. Accepts missing padding.
    package static func canonical(_ text: String) -> String? {
        let unpadded = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.count
        let padding = text.utf8.count - unpadded
        guard padding <= 2, unpadded % 4 != 1, padding == 0 || (unpadded + padding) % 4 == 0 else { return nil }
        guard text.utf8.prefix(unpadded).allSatisfy({ values[Int($0)] != 0xFF }) else { return nil }
        return padding == 0 ? text + String(repeating: "=", count: (4 - unpadded % 4) % 4) : text
    }

    /// The decoded size of padded base64, in bytes.
    package static func byteCount(padded text: String) -> Int {
        text.utf8.count / 4 * 3 - text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") }
    }

    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits = 0
        var held: UInt32 = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(held >> UInt32(bits)) & 63])
            }
        }
        if bits > 0 { text.append(alphabet[Int(held << UInt32(6 - bits)) & 63]) }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Converts to the URL-safe alphabet (RFC 4648 §5); keeps padding.
    package static func urlSafe(_ text: String) -> String {
        mapped(text) { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    }

    /// Undoes ``urlSafe(_:)``.
    package static func standard(_ text: String) -> String {
        mapped(text) { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
    }

    // Works on bytes for speed: a page of a hundred pictures needs a thousand conversions.
    private static func mapped(_ text: String, _ map: (UInt8) -> UInt8) -> String {
        String(unsafeUninitializedCapacity: text.utf8.count) { bytes in
            var count = 0
            for byte in text.utf8 {
                bytes[count] = map(byte)
                count += 1
            }
            return count
        }
    }

    /// Nil for invalid base64.
    package static func decode(_ text: String) -> [UInt8]? {
        guard canonical(text) != nil else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var bits = 0
        var held: UInt32 = 0
        for letter in text.utf8 where letter != UInt8(ascii: "=") {
            held = held << 6 | UInt32(values[Int(letter)])
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> UInt32(bits)))
            }
        }
        return bytes
    }
}
