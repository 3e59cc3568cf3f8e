import CloudIdentity
import CloudModel
import Testing

/// What Apple sends beside ID tokens.
@Suite(.timeLimit(.minutes(5)))
struct AppleTests {
    private static let event = #"{"type":"consent-revoked","sub":"person","event_time":1700000000}"#
    private let provider = TestProvider()

    private func notice(
        _ changes: KeyValuePairs<String, JSONValue> = [:], without missing: [String] = []
    ) throws -> AppleNotice {
        var all: [(String, JSONValue)] = [
            ("iss", .string("https://appleid.apple.com")), ("jti", .string("1")), ("events", .string(Self.event)),
        ]
        all += changes.map { ($0.key, $0.value) }
        var claims = JSONObject(TestProvider.claims.members.filter { !["nonce", "exp", "sub"].contains($0.key) })
        for (name, value) in all where !missing.contains(name) { claims.set(name, value) }
        claims = JSONObject(claims.members.filter { !missing.contains($0.key) })
        let token = provider.sign(json(.object(TestProvider.header)), json(.object(claims)))
        return try AppleNotice(token, clients: ["app", "client"], keys: provider.keys(), now: TestProvider.now)
    }

    @Test("A notice names its kind and person, by older and newer names")
    func kinds() throws {
        #expect(try notice().id == "1" && notice().subject == "person")
        for (name, kind) in [
            ("consent-revoked", AppleNotice.Kind.consentRevoked), ("account-delete", .accountDeleted),
            ("account-deleted", .accountDeleted), ("email-disabled", .emailDisabled), ("email-enabled", .emailEnabled),
        ] {
            let event = Self.event.replacing("consent-revoked", with: name)
            #expect(try notice(["events": .string(event)]).kind == kind)
        }
    }

    @Test("A forged notice is refused")
    func forged() throws {
        func event(_ old: String, _ new: String) -> JSONValue { .string(Self.event.replacing(old, with: new)) }
        for (member, value, fault) in [
            ("iss", .string("https://appleid.apple.com/"), .issuer), ("aud", .string("other"), .audience),
            ("iat", .integer(1_700_000_061), .future), ("iat", .integer(1_699_913_599), .old),
            ("iat", .string("1"), .issueTime), ("jti", .null, .tokenID), ("jti", .string(""), .tokenID),
            ("jti", .string("1\0"), .tokenID), ("events", .string("{}"), .event), ("events", .string("["), .event),
            ("events", .object(JSONObject()), .event), ("events", event("consent", "other"), .event),
            ("events", event(#""sub":"person""#, #""sub":"person","sub":"other""#), .event),
            ("events", event("person", ""), .subject), ("events", event(#""person""#, "1"), .subject),
        ] as [(String, JSONValue, TokenFault)] {
            #expect(throws: fault) { try notice([member: value]) }
        }
        let forged = TestProvider().token(["events": .string(Self.event)])
        #expect(throws: TokenFault.signature) {
            try AppleNotice(forged, clients: ["client"], keys: provider.keys(), now: TestProvider.now)
        }
    }

    @Test("The name beside the first token is cut and cleaned")
    func user() {
        for (text, name) in [
            (#"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"a@example.org"}"#, "Ada Lovelace"),
            (#"{"name":{"firstName":"Ada"}}"#, "Ada"), (#"{"name":{"firstName":"A\u0000d\na\u202e"}}"#, "Ada"),
            (#"{"name":{"firstName":" ","lastName":""}}"#, nil), ("{}", nil), ("", nil), ("[]", nil),
            (#"{"name":{"firstName":1}}"#, nil), (#"{"name":"Ada"}"#, nil),
            (
                #"{"name":{"firstName":""# + String(repeating: "a", count: 100) + #""}}"#,
                String(repeating: "a", count: 64)
            ),
            (#"{"name":{"firstName":""# + String(repeating: "a", count: 5000) + #""}}"#, nil),
        ] { #expect(AppleUser(text).name == name) }
    }
}
