import CloudCrypto
import CloudModel

/// Proof Key for Code Exchange with S256 (RFC 7636): ties a code to the sign-in that asked for it.
package struct ProofKey: Hashable, Sendable {
    package static let method = "S256"

    /// 43 to 128 unreserved characters; secret until the code is redeemed.
    package let verifier: String

    package init() { verifier = Base64URL.encode(RandomBits.bytes(32, .secrets)) }

    /// Nil for other texts than RFC 7636 §4.1 allows.
    package init?(verifier: String) {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.isUnreserved) else { return nil }
        self.verifier = verifier
    }

    /// Goes into the authorization request.
    package var challenge: String { Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
