import CloudModel
package import CloudCrypto

/// Signs tokens for clients with HMAC-SHA256, and checks them in constant time.
///
/// Each purpose has its own key, so a token made for one purpose fails for another.
package struct TokenSigner: Sendable {
    private let key: SymmetricKey
    private let size: Int

    /// - Parameter size: bytes of a signature, the first of HMAC's 32 bytes.
    package init(key: SymmetricKey, size: Int = SHA256Digest.byteCount) {
        self.key = key
        self.size = size
    }

    package func signature(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(size))
    }

    package func isSignature(_ signature: some Collection<UInt8>, of message: [UInt8]) -> Bool {
        guard signature.count == size else { return false }
        // Compares all bytes, so that the time does not reveal the first difference.
        return zip(signature, self.signature(of: message)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The signature in base64url, for a URL or a cookie.
    package func signature(of message: String) -> String {
        Base64URL.encode(signature(of: Array(message.utf8)))
    }

    package func isSignature(_ text: some StringProtocol, of message: String) -> Bool {
        guard let signature = Base64URL.decode(String(text)) else { return false }
        return isSignature(signature, of: Array(message.utf8))
    }

    /// A token that carries `payload`, for a URL. The payload is signed, not encrypted.
    package func seal(_ payload: [UInt8]) -> String {
        Base64URL.encode(payload + signature(of: payload))
    }

    /// The payload of a token; nil without a valid signature of this key.
    package func open(_ token: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(token), bytes.count > size else { return nil }
        let payload = Array(bytes.dropLast(size))
        return isSignature(bytes.suffix(size), of: payload) ? payload : nil
    }
}
