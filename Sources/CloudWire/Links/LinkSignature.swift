import CloudHTTP
package import CloudModel

/// A link's signature: `e`, its expiry in seconds since 1970-01-01Z, and `s`, the code in hex.
package struct LinkSignature: Hashable, Sendable {
    package let expires: Timestamp
    package let code: [UInt8]

    package init(expires: Timestamp, code: [UInt8]) {
        self.expires = expires
        self.code = code
    }

    /// Reads `e` and `s` from a query; nil if either is missing or malformed.
    package init?(query: some StringProtocol) {
        var expires: Timestamp?
        var code: [UInt8]?
        for case (let name, let value?) in URLPairs(query.utf8) {
            let text = String(decoding: value, as: UTF8.self)
            switch String(decoding: name, as: UTF8.self) {
            case "e": expires = Int64(text).map(Timestamp.init(wholeSeconds:))
            case "s": code = Self.bytes(text)
            default: continue
            }
        }
        guard let expires, let code else { return nil }
        self.init(expires: expires, code: code)
    }

    package var query: String {
        var hex: [UInt8] = []
        hex.reserveCapacity(code.count * 2)
        for byte in code {
            hex.append(Self.digits[Int(byte >> 4)])
            hex.append(Self.digits[Int(byte & 15)])
        }
        return "e=\(expires.wholeSeconds)&s=\(String(decoding: hex, as: UTF8.self))"
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private static func bytes(_ hex: some StringProtocol) -> [UInt8]? {
        let digits = hex.utf8.map { Self.digits.firstIndex(of: $0) }
        guard digits.count == 64, !digits.contains(nil) else { return nil }
        let values = digits.compactMap(\.self)
        return (0..<32).map { UInt8(values[$0 * 2] << 4 | values[$0 * 2 + 1]) }
    }
}
