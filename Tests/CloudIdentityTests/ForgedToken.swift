import CloudCrypto
import CloudIdentity
import CloudModel
import Testing

/// A token that must be refused, and the fault that refuses it.
struct ForgedToken: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let fault: TokenFault
    let make: @Sendable (TestProvider) -> String

    init(_ name: String, _ fault: TokenFault, _ make: @escaping @Sendable (TestProvider) -> String) {
        (testDescription, self.fault, self.make) = (name, fault, make)
    }

    static let all = form + header + signature + clients + times + people

    private static let form: [ForgedToken] = [
        ForgedToken("empty", .parts) { _ in "" },
        ForgedToken("two parts", .parts) { $0.token().split(separator: ".").prefix(2).joined(separator: ".") },
        ForgedToken("four parts", .parts) { $0.token() + ".e30" },
        ForgedToken("five parts, as of an encrypted token", .parts) { $0.token() + ".e30.e30" },
        ForgedToken("empty header", .parts) { $0.token().drop { $0 != "." }.description },
        ForgedToken("beyond 16 KB", .size) {
            $0.token(["pad": .string(String(repeating: "a", count: 16 * 1024))])
        },
        ForgedToken("padding", .encoding) { $0.token() + "=" },
        ForgedToken("a space before", .encoding) { " " + $0.token() },
        ForgedToken("a line end after", .encoding) { $0.token() + "\n" },
        ForgedToken("the standard alphabet", .encoding) {
            $0.sign(json(.object(TestProvider.header)), #"{"a":"???>>>"}"#).replacing("-", with: "+")
                .replacing("_", with: "/")
        },
        ForgedToken("spare bits in the last letter of the claims", .encoding) {
            let parts = $0.sign(#"{"alg":"ES256"}"#, #"{"a":1 }"#).split(separator: ".")
            return "\(parts[0]).\(parts[1].dropLast())1.\(parts[2])"
        },
        ForgedToken("claims that are a list", .json) { $0.sign(json(.object(TestProvider.header)), "[]") },
        ForgedToken("claims that are no JSON", .json) { $0.sign(json(.object(TestProvider.header)), "{'a':1}") },
        ForgedToken("a header that is a text", .json) { $0.sign(#""ES256""#, "{}") },
        ForgedToken("text after the claims", .json) {
            $0.sign(json(.object(TestProvider.header)), json(.object(TestProvider.claims)) + "{}")
        },
        ForgedToken("nested beyond the depth limit", .json) {
            $0.sign(
                json(.object(TestProvider.header)),
                #"{"a":"# + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}")
        },
        ForgedToken("two subjects", .duplicate) {
            $0.sign(
                json(.object(TestProvider.header)), json(.object(TestProvider.claims)).dropLast() + #","sub":"other"}"#)
        },
        ForgedToken("two subjects, one escaped", .duplicate) {
            $0.sign(
                json(.object(TestProvider.header)),
                json(.object(TestProvider.claims)).dropLast() + #","\u0073ub":"other"}"#)
        },
        ForgedToken("two algorithms", .duplicate) {
            $0.sign(#"{"alg":"none","kid":"key","alg":"ES256"}"#, json(.object(TestProvider.claims)))
        },
        ForgedToken("a member twice inside a claim", .duplicate) {
            $0.sign(
                json(.object(TestProvider.header)),
                json(.object(TestProvider.claims)).dropLast() + #","address":{"a":1,"a":2}}"#)
        },
    ]

    private static let header: [ForgedToken] = [
        ForgedToken("no algorithm", .algorithm) { $0.token(headerWithout: ["alg"]) },
        ForgedToken("the algorithm none", .algorithm) { $0.token(header: ["alg": .string("none")]) },
        ForgedToken("the algorithm none without a signature", .algorithm) {
            $0.token(header: ["alg": .string("none")]).split(separator: ".").prefix(2).joined(separator: ".") + "."
        },
        ForgedToken("the algorithm NoNe", .algorithm) { $0.token(header: ["alg": .string("NoNe")]) },
        ForgedToken("HS256 with the public key as the secret", .algorithm) {
            let parts = $0.token(header: ["alg": .string("HS256")]).split(separator: ".")
            let code = HMAC<SHA256>.authenticationCode(
                for: Array("\(parts[0]).\(parts[1])".utf8), using: SymmetricKey(data: Array(json($0.jwk()).utf8)))
            return "\(parts[0]).\(parts[1]).\(Base64URL.encode(Array(code)))"
        },
        ForgedToken("an algorithm in small letters", .algorithm) { $0.token(header: ["alg": .string("es256")]) },
        ForgedToken("an algorithm that this provider does not use", .algorithm) {
            $0.token(header: ["alg": .string("EdDSA")])
        },
        ForgedToken("an algorithm that is a list", .header) { $0.token(header: ["alg": .array([.string("ES256")])]) },
        ForgedToken("an algorithm of another type of key", .unfitKey) { $0.token(header: ["alg": .string("RS256")]) },
        ForgedToken("critical extensions", .critical) {
            $0.token(header: ["crit": .array([.string("b64")]), "b64": .bool(false)])
        },
        ForgedToken("an empty list of critical extensions", .critical) { $0.token(header: ["crit": .array([])]) },
        ForgedToken("critical extensions that are null", .critical) { $0.token(header: ["crit": .null]) },
        ForgedToken("a key id that is a number", .header) { $0.token(header: ["kid": .integer(1)]) },
        ForgedToken("a key id that is null", .header) { $0.token(header: ["kid": .null]) },
        ForgedToken("an unknown key id", .unknownKey) { $0.token(header: ["kid": .string("other")]) },
        ForgedToken("a key id in another case", .unknownKey) { $0.token(header: ["kid": .string("KEY")]) },
        ForgedToken("a key id that is a path", .unknownKey) { $0.token(header: ["kid": .string("../../dev/null")]) },
        ForgedToken("a key of its own in the header", .signature) { provider in
            let forger = TestProvider()
            return forger.token(header: ["jwk": forger.jwk()])
        },
        ForgedToken("the address of a set of its own in the header", .signature) { _ in
            TestProvider().token(header: ["jku": .string("https://evil.example/keys")])
        },
        ForgedToken("a logout token by its type", .kind) { $0.token(header: ["typ": .string("logout+jwt")]) },
        ForgedToken("an access token by its type", .kind) { $0.token(header: ["typ": .string("AT+JWT")]) },
        ForgedToken("a notice by its events", .kind) { $0.token(["events": .string("{}")]) },
    ]

    private static let signature: [ForgedToken] = [
        ForgedToken("no signature", .signature) {
            $0.token().split(separator: ".").prefix(2).joined(separator: ".") + "."
        },
        ForgedToken("a signature of zeros", .signature) { replaced($0.token(), [UInt8](repeating: 0, count: 64)) },
        ForgedToken("a signature in DER", .signature) {
            let text = $0.token().split(separator: ".").prefix(2).joined(separator: ".")
            return replaced($0.token(), Array($0.key.signature(for: Array(text.utf8)).derRepresentation))
        },
        ForgedToken("a signature cut short", .signature) {
            replaced(
                $0.token(), Array((Base64URL.decode(String($0.token().split(separator: ".")[2])) ?? []).dropLast()))
        },
        ForgedToken("a signature of other claims", .signature) {
            let (good, other) = (
                $0.token().split(separator: "."), $0.token(["sub": .string("x")]).split(separator: ".")
            )
            return "\(good[0]).\(other[1]).\(good[2])"
        },
        ForgedToken("a signature by another key", .signature) { _ in TestProvider().token() },
        ForgedToken("a token that was stretched", .signature) {
            let (good, other) = (
                $0.token().split(separator: "."), $0.token(["exp": .integer(1 << 40)]).split(separator: ".")
            )
            return "\(good[0]).\(other[1]).\(good[2])"
        },
    ]

    private static let clients: [ForgedToken] = [
        ForgedToken("no issuer", .issuer) { $0.token(without: ["iss"]) },
        ForgedToken("another issuer", .issuer) { $0.token(["iss": .string("https://evil.example/")]) },
        ForgedToken("the issuer without its slash", .issuer) { $0.token(["iss": .string("https://id.example.org")]) },
        ForgedToken("the issuer in capitals", .issuer) { $0.token(["iss": .string("https://ID.example.org/")]) },
        ForgedToken("an issuer that is a list", .issuer) { $0.token(["iss": .array([.string(TestProvider.issuer)])]) },
        ForgedToken("no audience", .audience) { $0.token(without: ["aud"]) },
        ForgedToken("another audience", .audience) { $0.token(["aud": .string("other")]) },
        ForgedToken("an audience that begins like ours", .audience) { $0.token(["aud": .string("client2")]) },
        ForgedToken("an empty list of audiences", .audience) { $0.token(["aud": .array([])]) },
        ForgedToken("an audience that is a number beside ours", .audience) {
            $0.token(["aud": .array([.string("client"), .integer(1)])])
        },
        ForgedToken("an audience that is not known beside ours", .unknownAudience) {
            $0.token(["aud": .array([.string("client"), .string("evil")])])
        },
        ForgedToken("issued to another client", .authorizedParty) { $0.token(["azp": .string("evil")]) },
        ForgedToken("issued to a client that is a number", .authorizedParty) { $0.token(["azp": .integer(1)]) },
    ]

    private static let times: [ForgedToken] = [
        ForgedToken("no expiry", .expiry) { $0.token(without: ["exp"]) },
        ForgedToken("an expiry that is a text", .expiry) { $0.token(["exp": .string("1700000600")]) },
        ForgedToken("expired", .expired) { $0.token(["exp": .integer(1_699_999_940)]) },
        ForgedToken("an expiry in the year 1", .expired) { $0.token(["exp": .number(-6e10)]) },
        ForgedToken("no time of issue", .issueTime) { $0.token(without: ["iat"]) },
        ForgedToken("issued in the future", .future) { $0.token(["iat": .integer(1_700_000_061)]) },
        ForgedToken("issued in milliseconds", .future) { $0.token(["iat": .integer(1_700_000_000_000)]) },
        ForgedToken("issued 601 seconds ago", .old) { $0.token(["iat": .integer(1_699_999_399)]) },
        ForgedToken("not valid yet", .notYet) { $0.token(["nbf": .integer(1_700_000_061)]) },
        ForgedToken("a beginning that is a text", .notYet) { $0.token(["nbf": .string("1")]) },
    ]

    private static let people: [ForgedToken] = [
        ForgedToken("no nonce", .nonceMissing) { $0.token(without: ["nonce"]) },
        ForgedToken("an empty nonce", .nonce) { $0.token(["nonce": .string("")]) },
        ForgedToken("the nonce of another sign-in", .nonce) { $0.token(["nonce": .string("the nonce of another")]) },
        ForgedToken("a nonce that is a list", .nonceMissing) {
            $0.token(["nonce": .array([.string(TestProvider.nonce)])])
        },
        ForgedToken("the digest of another access token", .accessToken) { $0.token(["at_hash": .string("AAAA")]) },
        ForgedToken("a digest that is null", .accessToken) { $0.token(["at_hash": .null]) },
        ForgedToken("no subject", .subject) { $0.token(without: ["sub"]) },
        ForgedToken("an empty subject", .subject) { $0.token(["sub": .string("")]) },
        ForgedToken("a subject of 256 letters", .subject) {
            $0.token(["sub": .string(String(repeating: "a", count: 256))])
        },
        ForgedToken("a subject that is a number", .subject) { $0.token(["sub": .integer(7)]) },
        ForgedToken("a subject beyond ASCII", .subject) { $0.token(["sub": .string("josé")]) },
        ForgedToken("a subject with a null character", .subject) { $0.token(["sub": .string("person\0")]) },
    ]

    private static func replaced(_ token: String, _ signature: [UInt8]) -> String {
        token.split(separator: ".").prefix(2).joined(separator: ".") + "." + Base64URL.encode(signature)
    }
}
