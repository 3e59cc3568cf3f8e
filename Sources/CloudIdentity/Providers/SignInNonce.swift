import CloudCrypto
import CloudModel

/// Random values of a sign-in.
package enum SignInNonce {
    /// 32 random bytes in base64url: 43 characters.
    package static func make() -> String { Base64URL.encode(RandomBits.bytes(32, .secrets)) }

    /// The SHA-256 in hex, which a native app gives to its provider.
    package static func digest(of nonce: String) -> String {
        SHA256.hash(data: Array(nonce.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
