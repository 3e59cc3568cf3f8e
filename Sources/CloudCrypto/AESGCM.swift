import CCrypto

/// Sealing of texts with AES-256-GCM (NIST SP 800-38D).
package enum AESGCM {
    private static let keyBytes = 32
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// A text that was changed, or sealed with another key or for another context.
    package struct Fault: Error {}

    /// Seals a text under a random nonce.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - context: bytes that must be given again to open the text.
    /// - Returns: the nonce, the sealed text and its tag, 28 bytes more than the text.
    package static func seal(_ text: [UInt8], using key: SymmetricKey, context: [UInt8]) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        return seal(text, using: key, context: context, nonce: (0..<nonceBytes).map { _ in random.next() })
    }

    static func seal(_ text: [UInt8], using key: SymmetricKey, context: [UInt8], nonce: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: text.count + tagBytes)
        let isDone = key.withUnsafeBytes { key in
            precondition(key.count == keyBytes && nonce.count == nonceBytes, "a key or nonce of another length")
            return ccrypto_aes256gcm_seal(
                key.baseAddress, nonce, context, context.count, text, text.count, &sealed)
        }
        precondition(isDone, "libcrypto has no AES-256-GCM")
        return nonce + sealed
    }

    /// Opens a text that ``seal(_:using:context:)`` made.
    package static func open(
        _ sealed: [UInt8], using key: SymmetricKey, context: [UInt8]
    ) throws(Fault) -> [UInt8] {
        guard sealed.count >= nonceBytes + tagBytes else { throw Fault() }
        let nonce = Array(sealed.prefix(nonceBytes))
        let rest = Array(sealed.dropFirst(nonceBytes))
        // One byte more than the text, so that an empty text has an address too.
        var text = [UInt8](repeating: 0, count: rest.count - tagBytes + 1)
        let isOpen = key.withUnsafeBytes { key in
            key.count == keyBytes
                && ccrypto_aes256gcm_open(
                    key.baseAddress, nonce, context, context.count, rest, rest.count, &text)
        }
        guard isOpen else { throw Fault() }
        return text.dropLast()
    }
}
