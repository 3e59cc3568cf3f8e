/// Identifies an asset's contents: a version byte and the first 20 bytes of their SHA-256 (reference B §8.6).
///
/// Its text is URL-safe base64, 28 characters, and serves as a file checksum, in links and in the database.
package struct AssetKey: Hashable, Sendable {
    package let text: String

    private static let version: UInt8 = 1
    private static let bytes = 21

    /// - Parameter sha256: the digest's 32 bytes.
    package init(sha256: some Collection<UInt8>) {
        text = Base64.urlSafe(Base64.encode([Self.version] + sha256.prefix(Self.bytes - 1)))
    }

    /// Parses a key in either base64 alphabet; nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 28, text.utf8.first == UInt8(ascii: "A") else { return nil }
        let standard = Base64.standard(text)
        guard let bytes = Base64.decode(standard), bytes.count == Self.bytes, bytes[0] == Self.version else {
            return nil
        }
        self.text = Base64.urlSafe(standard)
    }

    /// The `fileChecksum` of responses, in standard base64.
    package var fileChecksum: String { Base64.standard(text) }

    // Opaque to clients, which only echo them: the digest in the forms that clients expect.
    var referenceChecksum: String { Base64.encode([Self.version] + digest.reversed()) }
    var wrappingKey: String { Base64.encode(digest.prefix(16)) }

    private var digest: ArraySlice<UInt8> { (Base64.decode(fileChecksum) ?? []).dropFirst() }
}
