import CloudCrypto
import CloudIdentity
import CloudModel
import Testing

/// What is special about Google, Microsoft and Apple.
@Suite(.timeLimit(.minutes(5)))
struct ProviderTests {
    private static let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47"
    private static let otherTenant = "11111111-2222-3333-4444-555555555555"
    private static let object = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    private let provider = TestProvider()

    private func issuer(_ tenant: String) -> JSONValue { .string("https://login.microsoftonline.com/\(tenant)/v2.0") }

    private var microsoft: IDTokenRules {
        var rules = TestProvider.rules
        rules.issuer = .microsoft(tenants: [Self.tenant])
        rules.subject = .tenantAndObject
        return rules
    }

    private func check(
        _ token: String, _ rules: IDTokenRules, keys: KeyValuePairs<String, JSONValue> = [:]
    ) throws -> IDToken { try rules.check(token, keys: provider.keys(keys), now: TestProvider.now) }

    @Test("A person at Microsoft is a tenant and an object of it")
    func microsoftPerson() throws {
        let token = provider.token([
            "iss": issuer(Self.tenant), "tid": .string(Self.tenant), "oid": .string(Self.object),
        ])
        #expect(try check(token, microsoft).subject == "\(Self.tenant)/\(Self.object)")
        let template = JSONValue.string("https://login.microsoftonline.com/{tenantid}/v2.0")
        #expect(try check(token, microsoft, keys: ["issuer": template]).subject.hasSuffix(Self.object))
    }

    @Test("Microsoft's tenants do not speak for each other")
    func otherTenants() throws {
        let person = JSONValue.string(Self.object)
        let (ours, theirs) = (JSONValue.string(Self.tenant), JSONValue.string(Self.otherTenant))
        for (token, fault) in [
            (provider.token(["iss": issuer(Self.otherTenant), "tid": theirs, "oid": person]), TokenFault.tenant),
            (provider.token(["iss": issuer(Self.otherTenant), "tid": ours, "oid": person]), .issuer),
            (provider.token(["iss": issuer(Self.tenant), "tid": theirs, "oid": person]), .tenant),
            (provider.token(["iss": issuer(Self.tenant), "oid": person]), .tenant),
            (provider.token(["iss": issuer("{tenantid}"), "tid": .string("{tenantid}"), "oid": person]), .tenant),
            (provider.token(["iss": issuer(Self.tenant), "tid": ours]), .object),
            (provider.token(["iss": issuer(Self.tenant), "tid": ours, "oid": .string("a/b")]), .object),
        ] { #expect(throws: fault) { try check(token, microsoft) } }
        let token = provider.token(["iss": issuer(Self.tenant), "tid": ours, "oid": person])
        #expect(throws: TokenFault.keyIssuer) {
            try check(token, microsoft, keys: ["issuer": issuer(Self.otherTenant)])
        }
    }

    @Test("Google has two spellings of its issuer")
    func google() throws {
        var rules = TestProvider.rules
        rules.issuer = .google
        for issuer in ["https://accounts.google.com", "accounts.google.com"] {
            _ = try check(provider.token(["iss": .string(issuer)]), rules)
        }
        for issuer in [
            "http://accounts.google.com", "https://accounts.google.com/", "accounts.google.com.evil.example",
        ] {
            #expect(throws: TokenFault.issuer) { try check(provider.token(["iss": .string(issuer)]), rules) }
        }
    }

    @Test("Google is the authority for its own addresses and for those of a Workspace")
    func googleAddresses() throws {
        for (email, isVerified, domain, isGooglesAddress) in [
            ("a@gmail.com", false, nil, true), ("a@GMAIL.com", false, nil, true),
            ("a@example.org", true, "example.org", true), ("a@example.org", true, nil, false),
            ("a@example.org", false, "example.org", false), ("a@notgmail.com", true, nil, false),
            ("a@gmail.com.evil.example", true, nil, false),
        ] as [(String, Bool, String?, Bool)] {
            var token = try check(provider.token(), TestProvider.rules)
            try token.add(
                userInfo: TestProvider.object([
                    "sub": .string("person"), "email": .string(email), "email_verified": .bool(isVerified),
                    "hd": domain.map(JSONValue.string),
                ]))
            #expect(token.isGooglesAddress == isGooglesAddress, "\(email)")
        }
    }

    @Test("Apple's client secret is a token of the key in the file, good for five minutes")
    func appleSecret() throws {
        let secret = try AppleClientSecret(team: "ABCDE12345", keyID: "KEYID67890", key: TokenVectors.privateKey + "\n")
        let parts = secret.make(client: "org.example.app", now: TestProvider.now).split(separator: ".").map(String.init)
        let header = try StrictJSON.object(try #require(Base64URL.decode(parts[0])))
        let claims = try StrictJSON.object(try #require(Base64URL.decode(parts[1])))
        #expect(header == TestProvider.object(["alg": .string("ES256"), "kid": .string("KEYID67890")]))
        #expect(
            claims
                == TestProvider.object([
                    "iss": .string("ABCDE12345"), "iat": .integer(1_700_000_000), "exp": .integer(1_700_000_300),
                    "aud": .string("https://appleid.apple.com"), "sub": .string("org.example.app"),
                ]))
        let key = try P256.Signing.PublicKey(x963Representation: bytes(TokenVectors.publicPoint))
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
        #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test("Apple's names and key are checked before they are used")
    func appleFaults() {
        typealias Fault = AppleClientSecret.Fault
        let key = TokenVectors.privateKey
        for (team, id, text, fault) in [
            ("abcde12345", "KEYID67890", key, Fault.team), ("", "KEYID67890", key, .team),
            ("ABCDE12345", "KEYID6789", key, .keyID), ("ABCDE12345", "KEYID67890", "", .key),
            ("ABCDE12345", "KEYID67890", TokenVectors.privateKeyOfP384, .key),
            ("ABCDE12345", "KEYID67890", key.replacing("PRIVATE KEY", with: "EC PRIVATE KEY"), .key),
            ("ABCDE12345", "KEYID67890", key.replacing("\n-----END", with: "AAAA\n-----END"), .key),
            ("ABCDE12345", "KEYID67890", key + String(repeating: " ", count: 4096), .key),
        ] { #expect(throws: fault) { try AppleClientSecret(team: team, keyID: id, key: text) } }
    }

    @Test("A logout token is accepted with what the standard demands")
    func logout() throws {
        let event = "http://schemas.openid.net/event/backchannel-logout"
        let events = JSONValue.members([event: .object(JSONObject())])
        let rules = LogoutTokenRules(issuer: .exactly(TestProvider.issuer), audiences: [TestProvider.client])
        func check(_ token: String) throws -> LogoutToken {
            try rules.check(token, keys: provider.keys(), now: TestProvider.now)
        }
        let id = JSONValue.string("1")
        let good = provider.token(["jti": id, "events": events, "sid": .string("s")], without: ["nonce", "exp"])
        let read = try check(good)
        #expect(read.id == "1" && read.subject == "person" && read.sessionID == "s")
        let typed = provider.token(
            ["jti": id, "events": events], without: ["nonce"], header: ["typ": .string("logout+jwt")])
        #expect(try check(typed).sessionID == nil)
        for (token, fault) in [
            (provider.token(["jti": id, "events": events]), TokenFault.kind),
            (
                provider.token(["jti": id, "events": events], without: ["nonce"], header: ["typ": .string("at+jwt")]),
                .kind
            ),
            (provider.token(["events": events], without: ["nonce"]), .tokenID),
            (provider.token(["jti": id], without: ["nonce"]), .event),
            (provider.token(["jti": id, "events": .string(event)], without: ["nonce"]), .event),
            (provider.token(["jti": id, "events": .members([event: .null])], without: ["nonce"]), .event),
            (provider.token(["jti": id, "events": events], without: ["nonce", "sub"]), .session),
            (provider.token(["jti": id, "events": events, "aud": .string("x")], without: ["nonce"]), .audience),
            (provider.token(["jti": id, "events": events, "iss": .string("x")], without: ["nonce"]), .issuer),
            (provider.token(["jti": id, "events": events, "iat": .integer(1_699_999_879)], without: ["nonce"]), .old),
            (
                provider.token(["jti": id, "events": events, "iat": .integer(1_700_000_061)], without: ["nonce"]),
                .future
            ),
            (provider.token(["jti": id, "events": events, "exp": .integer(1)], without: ["nonce"]), .expired),
            (provider.token(["jti": id, "events": events], without: ["nonce", "iat"]), .issueTime),
            (provider.token(["jti": id, "events": events, "sub": .string("a\0")], without: ["nonce"]), .subject),
            (provider.token(["jti": id, "events": events, "sid": .string("")], without: ["nonce"]), .session),
            (TestProvider().token(["jti": id, "events": events], without: ["nonce"]), .signature),
        ] { #expect(throws: fault) { try check(token) } }
    }
}
