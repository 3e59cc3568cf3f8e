import Foundation

extension P256.Signing.PublicKey {
    private static let first = "-----BEGIN PUBLIC KEY-----"
    private static let last = "-----END PUBLIC KEY-----"
    /// Length limit of parsed text, in characters.
    private static let longest = 1024
    private static let lineLength = 64

    /// The bytes of a SubjectPublicKeyInfo (RFC 5480) before the point: the curve's name, and the point's length.
    private static func head(pointBytes: Int) -> [UInt8] {
        let names: [UInt8] = [
            0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
            0x03, 0x01, 0x07,
        ]
        let point = UInt8(pointBytes)
        return [0x30, UInt8(names.count) + 3 + point] + names + [0x03, point + 1, 0x00]
    }

    /// - Parameter text: a SubjectPublicKeyInfo that names the curve, `BEGIN PUBLIC KEY`.
    /// - Throws: ``MalformedKey``.
    package init(pemRepresentation text: String) throws {
        let trimmed = text.utf8.count <= Self.longest ? text.trimmingCharacters(in: .whitespacesAndNewlines) : ""
        guard trimmed.hasPrefix(Self.first), trimmed.hasSuffix(Self.last),
            trimmed.utf8.count >= Self.first.utf8.count + Self.last.utf8.count
        else { throw P256.Signing.MalformedKey() }
        let body = trimmed.dropFirst(Self.first.count).dropLast(Self.last.count)
        guard let der = Data(base64Encoded: String(body.filter { !$0.isWhitespace })) else {
            throw P256.Signing.MalformedKey()
        }
        let sizes = [65, 33].filter { size in
            let head = Self.head(pointBytes: size)
            return der.count == head.count + size && der.starts(with: head)
        }
        guard let size = sizes.first else { throw P256.Signing.MalformedKey() }
        try self.init(x963Representation: der.suffix(size))
    }

    /// A SubjectPublicKeyInfo.
    package var pemRepresentation: String {
        let point = x963Representation
        let text = Array(Data(Self.head(pointBytes: point.count) + point).base64EncodedString())
        let lines = stride(from: 0, to: text.count, by: Self.lineLength).map {
            String(text[$0..<min($0 + Self.lineLength, text.count)])
        }
        return ([Self.first] + lines + [Self.last]).joined(separator: "\n")
    }
}
