import CloudCrypto
package import CloudModel

/// The client secret of Sign in with Apple: a token that the `.p8` key signs, made anew for each use.
package struct AppleClientSecret: Sendable {
    package static let issuer = "https://appleid.apple.com"
    /// How long a secret is good, in seconds. Apple accepts six months.
    package static let validity: Int64 = 300

    private let team: String
    private let keyID: String
    private let key: P256.Signing.PrivateKey

    package enum Fault: String, Error, CaseIterable, Sendable {
        case team = "an Apple team id has 10 capital letters and digits"
        case keyID = "an Apple key id has 10 capital letters and digits"
        case key = "the key is not a private key of the curve P-256 in PEM, as Apple's .p8 files are"
    }

    /// - Parameter key: the text of the `.p8` file.
    package init(team: String, keyID: String, key: String) throws(Fault) {
        guard Self.isID(team) else { throw .team }
        guard Self.isID(keyID) else { throw .keyID }
        do { self.key = try P256.Signing.PrivateKey(pemRepresentation: key) } catch { throw .key }
        (self.team, self.keyID) = (team, keyID)
    }

    /// - Parameter client: the Services ID, or the bundle id for a code that an app got.
    package func make(client: String, now: Timestamp) -> String {
        let issued = now.wholeSeconds
        var header = JSONWriter()
        header.object {
            $0.member("alg", "ES256")
            $0.member("kid", keyID)
        }
        var claims = JSONWriter()
        claims.object {
            $0.member("iss", team)
            $0.member("iat", issued)
            $0.member("exp", issued + Self.validity)
            $0.member("aud", Self.issuer)
            $0.member("sub", client)
        }
        let text = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
        return "\(text).\(Base64URL.encode(key.signature(for: Array(text.utf8)).rawRepresentation))"
    }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy { (0x41...0x5a).contains($0) || (0x30...0x39).contains($0) }
    }
}
