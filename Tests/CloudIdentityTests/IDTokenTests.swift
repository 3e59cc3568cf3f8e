import CloudIdentity
import CloudModel
import Testing

@Suite(.timeLimit(.minutes(5)))
struct IDTokenTests {
    private let provider = TestProvider()

    private func check(
        _ token: String, _ rules: IDTokenRules = TestProvider.rules, accessToken: String? = nil,
        keys: JSONWebKeySet? = nil, now: Timestamp = TestProvider.now
    ) throws -> IDToken {
        try rules.check(token, keys: keys ?? provider.keys(), accessToken: accessToken, now: now)
    }

    @Test("A token of the provider is accepted")
    func accepted() throws {
        let token = try check(provider.token(["email": .string("a@example.org")]))
        #expect(token.subject == "person" && token.email == "a@example.org" && !token.isEmailVerified)
    }

    @Test("A forged token is refused for its fault", arguments: ForgedToken.all)
    func forged(_ forged: ForgedToken) {
        #expect(throws: forged.fault) {
            try check(forged.make(provider), accessToken: "the access token")
        }
    }

    @Test("A token with any character changed is refused")
    func changed() throws {
        let token = Array(provider.token().utf8)
        for place in token.indices where token[place] != UInt8(ascii: ".") {
            var changed = token
            changed[place] = token[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(throws: TokenFault.self) { try check(String(decoding: changed, as: UTF8.self)) }
        }
    }

    @Test(
        "Tokens of every algorithm by another library are accepted, with their access token",
        arguments: TokenVectors.tokens)
    func vectors(algorithm: String, token: String) throws {
        let keys = try JSONWebKeySet(parsing: Array(TokenVectors.keys.utf8))
        var rules = TestProvider.rules
        rules.algorithms = Set(SignatureAlgorithm.allCases)
        let read = try check(token, rules, accessToken: TokenVectors.accessToken, keys: keys)
        #expect(read.subject == "person" && keys.skipped.isEmpty)
        #expect(throws: TokenFault.accessToken) { try check(token, rules, accessToken: "another", keys: keys) }
        rules.algorithms = Set(SignatureAlgorithm.allCases.filter { $0.rawValue != algorithm })
        #expect(throws: TokenFault.algorithm) { try check(token, rules, keys: keys) }
        var parts = token.split(separator: ".").map(String.init)
        var signature = Base64URL.decode(parts[2]) ?? []
        rules.algorithms = Set(SignatureAlgorithm.allCases)
        for place in stride(from: 0, to: signature.count, by: 7) {
            signature[place] ^= 1
            parts[2] = Base64URL.encode(signature)
            #expect(throws: TokenFault.signature) { try check(parts.joined(separator: "."), rules, keys: keys) }
            signature[place] ^= 1
        }
    }

    @Test("Clocks may differ by a minute, and a token is good for ten minutes")
    func leeway() throws {
        let start = TestProvider.now.wholeSeconds
        let token = provider.token(["exp": .integer(start + 10), "nbf": .integer(start)])
        for second in [-60, 0, 69] { _ = try check(token, now: Timestamp(wholeSeconds: start + Int64(second))) }
        #expect(throws: TokenFault.future) { try check(token, now: Timestamp(wholeSeconds: start - 61)) }
        #expect(throws: TokenFault.expired) { try check(token, now: Timestamp(wholeSeconds: start + 70)) }
        let long = provider.token(["exp": .integer(start + 86_400)])
        _ = try check(long, now: Timestamp(wholeSeconds: start + 600))
        #expect(throws: TokenFault.old) { try check(long, now: Timestamp(wholeSeconds: start + 601)) }
        var rules = TestProvider.rules
        rules.longestAge = nil
        _ = try check(long, rules, now: Timestamp(wholeSeconds: start + 86_000))
    }

    @Test("Known clients may stand beside ours, but not instead")
    func knownClients() throws {
        var rules = TestProvider.rules
        rules.knownClients = ["app"]
        _ = try check(
            provider.token(["aud": .array([.string("app"), .string("client")]), "azp": .string("app")]), rules)
        #expect(throws: TokenFault.audience) { try check(provider.token(["aud": .string("app")]), rules) }
    }

    @Test("A native app's token has our nonce or its digest")
    func digestOfNonce() throws {
        var rules = TestProvider.rules
        rules.nonce = .rawOrDigest(of: "abc")
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        for nonce in [digest, "abc"] { _ = try check(provider.token(["nonce": .string(nonce)]), rules) }
        for nonce in ["ab", digest.uppercased(), ""] {
            #expect(throws: TokenFault.nonce) { try check(provider.token(["nonce": .string(nonce)]), rules) }
        }
        #expect(throws: TokenFault.nonceMissing) { try check(provider.token(["nonce": .null]), rules) }
        rules.nonce = .unchecked
        for nonce: JSONValue in [.string("other"), .null] { _ = try check(provider.token(["nonce": nonce]), rules) }
    }

    @Test("The time of sign-in counts only where it was asked for")
    func signInTime() throws {
        _ = try check(provider.token(["auth_time": .integer(0)]))
        var rules = TestProvider.rules
        rules.longestSignIn = 300
        _ = try check(provider.token(["auth_time": .integer(1_699_999_640)]), rules)
        #expect(throws: TokenFault.authenticationOld) { try check(provider.token(["auth_time": .integer(0)]), rules) }
        #expect(throws: TokenFault.authenticationTime) { try check(provider.token(), rules) }
    }

    @Test("Claims that are texts of booleans are read as such, and others are not true")
    func booleans() throws {
        for (value, isTrue) in [
            (JSONValue.bool(true), true), (.string("true"), true), (.string("false"), false), (.bool(false), false),
            (.integer(1), false), (.string("True"), false), (.string("1"), false), (.array([.bool(true)]), false),
        ] {
            let token = try check(provider.token(["email_verified": value, "is_private_email": value]))
            #expect(token.isEmailVerified == isTrue && token.isPrivateEmail == isTrue)
        }
    }

    @Test("User information adds claims of the same person")
    func userInfo() throws {
        var token = try check(provider.token(["name": .string("A")]))
        try token.add(
            userInfo: TestProvider.object([
                "sub": .string("person"), "name": .string("B"), "email": .string("a@example.org"),
                "email_verified": .bool(true), "groups": .array([.string("staff")]),
            ]))
        #expect(token.name == "A" && token.isEmailVerified && token.names("groups") == ["staff"])
        for subject in [JSONValue.string("other"), .string("PERSON"), .integer(1), .null] {
            #expect(throws: TokenFault.userInfoSubject) {
                try token.add(userInfo: TestProvider.object(["sub": subject]))
            }
        }
    }

    @Test("User information confirms no other address than its own")
    func otherAddress() throws {
        var token = try check(provider.token(["email": .string("victim@example.org")]))
        try token.add(
            userInfo: TestProvider.object([
                "sub": .string("person"), "email": .string("mine@example.org"), "email_verified": .bool(true),
            ]))
        #expect(token.email == "victim@example.org" && !token.isEmailVerified)
    }

    @Test("Addresses, names and sessions that cannot be stored are left out")
    func told() throws {
        let good = try check(
            provider.token(["email": .string("é@example.org"), "sid": .string("s"), "name": .string(" A  B ")]))
        #expect(good.email == "é@example.org" && good.sessionID == "s" && good.name == "A B")
        for text in ["", "@", "a", "a b@example.org", "a@example.org\0", "a@b" + String(repeating: "c", count: 252)] {
            #expect(try check(provider.token(["email": .string(text)])).email == nil)
        }
        let token = try check(provider.token(["email": .integer(1), "sid": .string("s\0"), "name": .string("\0\n")]))
        #expect(token.email == nil && token.sessionID == nil && token.name == nil)
    }
}
