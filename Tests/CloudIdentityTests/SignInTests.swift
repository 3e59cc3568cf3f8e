import CloudIdentity
import CloudModel
import Testing

/// Discovery, the authorization request and its answer.
@Suite(.timeLimit(.minutes(5)))
struct SignInTests {
    private static let issuer = "https://id.example.org/"
    private static let document = TestProvider.object([
        "issuer": .string(issuer), "authorization_endpoint": .string("https://id.example.org//auth"),
        "token_endpoint": .string("https://id.example.org/token"), "jwks_uri": .string("https://keys.example/jwks?a=b"),
    ])

    private func read(
        _ changes: KeyValuePairs<String, JSONValue> = [:], without missing: [String] = [], issuer: String = issuer,
        allowsHTTP: Bool = false
    ) throws -> DiscoveryDocument {
        var object = JSONObject(Self.document.members.filter { !missing.contains($0.key) })
        for (name, value) in changes { object.set(name, value) }
        return try DiscoveryDocument(
            parsing: Array(json(.object(object)).utf8), issuer: issuer, allowsHTTP: allowsHTTP)
    }

    @Test("A provider that says the least is asked by the standard's defaults")
    func defaults() throws {
        let document = try read()
        #expect(document.authorization == "https://id.example.org//auth" && document.userInfo == nil)
        #expect(document.algorithms == [.rs256, .es256] && document.clientAuthentication == .basic)
        #expect(document.acceptsProofKeys && !document.namesIssuer)
    }

    @Test("A provider is asked as it says")
    func offers() throws {
        func list(_ names: String...) -> JSONValue { .array(names.map(JSONValue.string)) }
        let document = try read([
            "userinfo_endpoint": .string("https://id.example.org/userinfo"), "end_session_endpoint": .null,
            "revocation_endpoint": .string("https://id.example.org/revoke"),
            "id_token_signing_alg_values_supported": list("HS256", "none", "PS256", "EdDSA", "ES512"),
            "token_endpoint_auth_methods_supported": list("private_key_jwt", "client_secret_post"),
            "response_types_supported": list("code", "id_token"), "code_challenge_methods_supported": list("plain"),
            "authorization_response_iss_parameter_supported": .bool(true),
        ])
        #expect(document.algorithms == [.rs256, .es256, .ps256, .edDSA])
        #expect(document.clientAuthentication == .post && !document.acceptsProofKeys && document.namesIssuer)
        #expect(document.userInfo != nil && document.endSession == nil && document.revocation != nil)
        #expect(
            try read(["token_endpoint_auth_methods_supported": list("tls_client_auth")]).clientAuthentication == nil)
    }

    @Test("A document that lies or lacks something is refused")
    func refused() throws {
        typealias Fault = DiscoveryDocument.Fault
        for issuer in [
            "https://id.example.org", "https://id.example.org//", "https://evil.example/", "HTTPS://id.example.org/",
        ] {
            #expect(throws: Fault.issuer) { try read(["issuer": .string(issuer)]) }
        }
        #expect(throws: Fault.issuer) { try read(without: ["issuer"]) }
        for member in [Fault.Member.authorization, .token, .keys] {
            #expect(throws: Fault.url(member)) { try read(without: [member.rawValue]) }
        }
        for url in [
            "", "/token", "http://id.example.org/token", "javascript:alert(1)", "https://",
            "https://a:b@id.example.org/",
            "https://id.example.org/#a", "https://id.example.org/\n", "https://id.example.org/ a", "file:///etc/passwd",
            #"https://id.example.org\\@evil.example/"#,
            "https://id.example.org/" + String(repeating: "a", count: 2048),
        ] {
            #expect(throws: Fault.url(.token)) { try read(["token_endpoint": .string(url)]) }
            #expect(throws: Fault.url(.userInfo)) { try read(["userinfo_endpoint": .string(url)]) }
        }
        #expect(throws: Fault.url(.keys)) { try read(["jwks_uri": .array([])]) }
        #expect(throws: Fault.codeFlow) { try read(["response_types_supported": .array([.string("id_token")])]) }
        #expect(throws: Fault.list(.algorithms)) {
            try read(["id_token_signing_alg_values_supported": .string("RS256")])
        }
        #expect(throws: Fault.list(.clientAuthentication)) {
            try read(["token_endpoint_auth_methods_supported": .array([.integer(1)])])
        }
        for (text, fault) in [
            ("", Fault.json), ("<html>", .json), ("[]", .json),
            (#"{"issuer":"a","issuer":"https://id.example.org/"}"#, .duplicate),
            (String(repeating: " ", count: 256 * 1024 + 1), .size),
        ] {
            #expect(throws: fault) { try DiscoveryDocument(parsing: Array(text.utf8), issuer: Self.issuer) }
        }
        for fault in [Fault.size, .json, .duplicate, .issuer, .codeFlow] + Fault.Member.allCases.map(Fault.url) {
            #expect(!fault.reason.isEmpty)
        }
    }

    @Test("Without TLS only where the operator allows it")
    func withoutTLS() throws {
        let url = JSONValue.string("http://10.0.0.1:8080/token")
        #expect(try read(["token_endpoint": url], allowsHTTP: true).token == "http://10.0.0.1:8080/token")
        #expect(throws: DiscoveryDocument.Fault.url(.token)) { try read(["token_endpoint": url]) }
    }

    @Test("The document is below the issuer, with or without a slash at its end")
    func address() {
        let path = "/.well-known/openid-configuration"
        #expect(DiscoveryDocument.address(of: "https://a.example") == "https://a.example" + path)
        #expect(DiscoveryDocument.address(of: "https://a.example/o/app/") == "https://a.example/o/app" + path)
    }

    @Test("The challenge of a verifier is that of RFC 7636, and other verifiers are refused")
    func proofKey() throws {
        let key = try #require(ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(ProofKey(verifier: String(repeating: "~", count: 128)) != nil)
        for text in [
            "", String(repeating: "a", count: 42), String(repeating: "a", count: 129),
            String(repeating: "a", count: 42) + "=", String(repeating: "a", count: 42) + "é",
        ] { #expect(ProofKey(verifier: text) == nil) }
    }

    @Test("Each attempt has secrets of its own, and the request says S256")
    func attempt() {
        let (attempt, other) = (SignInAttempt(), SignInAttempt())
        let secrets = [attempt, other].flatMap { [$0.state, $0.nonce, $0.proof.verifier] }
        #expect(Set(secrets).count == 6 && secrets.allSatisfy { $0.utf8.count == 43 })
        let parameters = attempt.parameters(
            client: "client", redirect: "https://c.example/auth/with/a", scopes: ["openid", "email"])
        #expect(
            parameters.map { "\($0.key)=\($0.value)" } == [
                "response_type=code", "client_id=client", "redirect_uri=https://c.example/auth/with/a",
                "scope=openid email", "state=\(attempt.state)", "nonce=\(attempt.nonce)",
                "code_challenge=\(attempt.proof.challenge)", "code_challenge_method=S256",
            ])
        #expect(!parameters.contains { $0.value.contains(attempt.proof.verifier) })
    }

    @Test("An answer is taken for its own attempt and provider alone")
    func answers() throws {
        let attempt = SignInAttempt()
        let state = ("state", attempt.state)
        func read(_ parameters: [(String, String)], namesIssuer: Bool = false) throws -> AuthorizationAnswer {
            try AuthorizationAnswer(
                parameters.map { (name: $0.0, value: $0.1) }, to: attempt, issuer: Self.issuer, namesIssuer: namesIssuer
            )
        }
        #expect(try read([state, ("code", "c"), ("scope", "a"), ("scope", "b")]) == .code("c"))
        #expect(try read([state, ("code", "c"), ("iss", Self.issuer)], namesIssuer: true) == .code("c"))
        #expect(try read([state, ("error", "access_denied")]) == .cancelled)
        #expect(try read([state, ("error", "user_cancelled_authorize")]) == .cancelled)
        #expect(try read([state, ("error", "server_error"), ("code", "c")]) == .refused("server_error"))
        #expect(
            try read([state, ("error", "<script>\n" + String(repeating: "x", count: 99))])
                == .refused("script" + String(repeating: "x", count: 55)))
        for (parameters, fault) in [
            ([("code", "c")], .state), ([("code", "c"), ("state", "")], .state), ([("error", "access_denied")], .state),
            ([("code", "c"), ("state", SignInAttempt().state)], .state),
            ([("code", "c"), ("state", attempt.state + " ")], .state),
            ([state, state, ("code", "c")], .repeated), ([state, ("code", "c"), ("code", "d")], .repeated),
            ([state], .code), ([state, ("code", "")], .code),
            ([state, ("code", String(repeating: "c", count: 4097))], .code),
            ([state, ("code", "c"), ("iss", "https://evil.example/")], .issuer),
        ] as [([(String, String)], AuthorizationAnswer.Fault)] {
            #expect(throws: fault) { try read(parameters) }
        }
        #expect(throws: AuthorizationAnswer.Fault.issuerMissing) {
            try read([state, ("code", "c")], namesIssuer: true)
        }
    }
}
