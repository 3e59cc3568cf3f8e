import CloudCrypto
import CloudModel

/// The signature algorithms of tokens (RFC 7518 §3.1, RFC 8037), without `none` and those by a shared secret.
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case edDSA = "EdDSA"

    /// The algorithms of a provider whose discovery document names none.
    package static let usual: Set<SignatureAlgorithm> = [.rs256, .es256]

    /// The value of `at_hash` (OpenID Connect Core §3.1.3.6): the left half of the digest in base64url.
    package func halfDigest(of text: String) -> String {
        let bytes = Array(text.utf8)
        let digest =
            switch self {
            case .rs256, .ps256, .es256: Array(SHA256.hash(data: bytes))
            case .rs384, .ps384, .es384: SHA384.hash(data: bytes)
            case .rs512, .ps512, .edDSA: SHA512.hash(data: bytes)
            }
        return Base64URL.encode(digest.prefix(digest.count / 2))
    }
}
