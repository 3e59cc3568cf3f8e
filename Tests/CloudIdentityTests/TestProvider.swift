import CloudCrypto
import CloudIdentity
import CloudModel

/// A provider that signs with a key of its own.
struct TestProvider {
    static let issuer = "https://id.example.org/"
    static let client = "client"
    static let nonce = "the nonce"
    static let now = Timestamp(wholeSeconds: 1_700_000_000)

    let key = P256.Signing.PrivateKey()
    let keyID = "key"

    static var claims: JSONObject {
        object([
            "iss": .string(issuer), "aud": .string(client), "sub": .string("person"), "iat": .integer(1_700_000_000),
            "exp": .integer(1_700_000_600), "nonce": .string(nonce),
        ])
    }

    static var header: JSONObject { object(["alg": .string("ES256"), "kid": .string("key"), "typ": .string("JWT")]) }

    static var rules: IDTokenRules {
        IDTokenRules(issuer: .exactly(issuer), audiences: [client], nonce: .exactly(nonce))
    }

    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONObject {
        JSONValue.members(members).object ?? JSONObject()
    }

    /// The provider's key, with these members changed.
    func jwk(_ changes: KeyValuePairs<String, JSONValue> = [:]) -> JSONValue {
        let point = key.publicKey.x963Representation
        var object = Self.object([
            "kty": .string("EC"), "crv": .string("P-256"), "kid": .string(keyID), "use": .string("sig"),
            "x": .string(Base64URL.encode(point[1..<33])), "y": .string(Base64URL.encode(point[33...])),
        ])
        for (name, value) in changes { object.set(name, value) }
        return .object(object)
    }

    func keys(_ changes: KeyValuePairs<String, JSONValue> = [:]) throws -> JSONWebKeySet {
        try keySet([jwk(changes)])
    }

    /// A token with these claims and header members changed; `null` is written as such.
    func token(
        _ changes: KeyValuePairs<String, JSONValue> = [:], without missing: [String] = [],
        header changesOfHeader: KeyValuePairs<String, JSONValue> = [:], headerWithout: [String] = []
    ) -> String {
        sign(
            text(of: Self.header, changesOfHeader, headerWithout), text(of: Self.claims, changes, missing))
    }

    /// A token of texts that need not be JSON.
    func sign(_ header: String, _ claims: String) -> String {
        let text = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
        return "\(text).\(Base64URL.encode(key.signature(for: Array(text.utf8)).rawRepresentation))"
    }

    private func text(
        of object: JSONObject, _ changes: KeyValuePairs<String, JSONValue>, _ missing: [String]
    ) -> String {
        var changed = JSONObject(object.members.filter { !missing.contains($0.key) })
        for (name, value) in changes { changed.set(name, value) }
        return json(.object(changed))
    }
}

func json(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}

func keySet(_ keys: [JSONValue]) throws -> JSONWebKeySet {
    try JSONWebKeySet(parsing: Array(json(.members(["keys": .array(keys)])).utf8))
}

/// Bytes from hex digits; other characters are skipped.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue).map(UInt8.init)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
