/// Base64 that needs no escaping in a URL (RFC 4648 §5), without padding.
package enum Base64URL {
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let text = Base64.urlSafe(Base64.encode(bytes))
        return String(text.prefix { $0 != "=" })
    }

    /// Decodes text made by ``encode(_:)``; nil for any other text.
    ///
    /// Each byte sequence has a single valid encoding, so any change to a signed text is detected.
    package static func decode(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.decode(Base64.standard(text)), encode(bytes).utf8.elementsEqual(text.utf8) else {
            return nil
        }
        return bytes
    }
}
