import Foundation

extension P256.Signing.PrivateKey {
    private static let first = "-----BEGIN PRIVATE KEY-----"
    private static let last = "-----END PRIVATE KEY-----"
    /// Length limit of parsed text, in characters.
    private static let longest = 2048

    /// - Parameter text: a PrivateKeyInfo that names the curve, `BEGIN PRIVATE KEY`, as in Apple's `.p8` files.
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
        try self.init(derRepresentation: der)
    }
}
