import CloudAccounts
import CloudHTTP
import CloudModel
import TestCloud
import Testing

/// Answers of providers that sign nobody in.
@Suite(.timeLimit(.minutes(15)))
struct ProviderRefusalTests {
    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reason: String
        let change: @Sendable (inout TestProvider.Manner) -> Void

        init(_ name: String, _ reason: String, _ change: @escaping @Sendable (inout TestProvider.Manner) -> Void) {
            (testDescription, self.reason, self.change) = (name, reason, change)
        }
    }

    private static let claims: [Lie] = [
        Lie("another issuer", "from another issuer") { $0.claims["iss"] = .string("https://evil.example") },
        Lie("no issuer", "from another issuer") { $0.without = ["iss"] },
        Lie("another client", "for another client") { $0.claims["aud"] = .string("other") },
        Lie("no client", "for another client") { $0.without = ["aud"] },
        Lie("an unknown client beside", "not known here") {
            $0.claims["aud"] = .array([.string(TestProvider.client), .string("other")])
        },
        Lie("another authorized party", "issued to another client") { $0.claims["azp"] = .string("other") },
        Lie("another nonce", "nonce of another") { $0.claims["nonce"] = .string("other") },
        Lie("no nonce", "has no nonce") { $0.without = ["nonce"] },
        Lie("expired", "has expired") { $0.claims["exp"] = .integer(1_600_000_000) },
        Lie("no expiry", "no expiry") { $0.without = ["exp"] },
        Lie("issued long ago", "too long ago") { $0.claims["iat"] = .integer(1_600_000_000) },
        Lie("issued in the future", "in the future") { $0.claims["iat"] = .integer(1_800_000_000) },
        Lie("not yet valid", "not valid yet") { $0.claims["nbf"] = .integer(1_800_000_000) },
        Lie("another access token", "access token is not") { $0.claims["at_hash"] = .string("other") },
        Lie("no subject", "subject is not") { $0.without = ["sub"] },
        Lie("a subject beyond ASCII", "subject is not") { $0.claims["sub"] = .string("ä") },
        Lie("a logout token", "another kind") { $0.claims["events"] = .object(JSONObject()) },
    ]

    private static let tokens: [Lie] = [
        Lie("the algorithm none", "algorithm is not allowed") { $0.header["alg"] = .string("none") },
        Lie("a shared secret", "algorithm is not allowed") { $0.header["alg"] = .string("HS256") },
        Lie("another type of key", "not for the token's algorithm") { $0.header["alg"] = .string("RS256") },
        Lie("an unknown key", "has the token's key id") { $0.header["kid"] = .string("other") },
        Lie("a critical extension", "demands extensions") { $0.header["crit"] = .array([.string("b64")]) },
        Lie("another's signature", "signature is not valid") {
            $0.token = { token, _ in
                let parts = token.split(separator: ".")
                return "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))"
            }
        },
        Lie("a claim named twice", "names a member twice") {
            $0.token = { _, provider in provider.sign(#"{"alg":"ES256","kid":"key"}"#, #"{"sub":"a","sub":"b"}"#) }
        },
        Lie("two parts", "three parts") { $0.token = { _, _ in "a.b" } },
    ]

    private static let answers: [Lie] = [
        Lie("an error in a good answer", "refused the code: bad_verification_code") {
            $0.tokenBody = #"{"error":"bad_verification_code"}"#
        },
        Lie("an answer without a token", "no token") { $0.tokenBody = "{}" },
        Lie("a token of another type", "not of the type Bearer") {
            $0.tokenBody = #"{"access_token":"a","id_token":"b","token_type":"mac"}"#
        },
        Lie("an answer that is a page", "status 502") { ($0.tokenBody, $0.tokenStatus) = ("<html>", 502) },
        Lie("user information about somebody else", "about somebody else") { $0.userInfo = ["sub": .string("other")] },
        Lie("keys that are none", "not a JSON object") { $0.keys = "[]" },
        Lie("another issuer in the answer", "from another provider") { $0.answer["iss"] = "https://evil.example" },
        Lie("no issuer although promised", "does not name its provider") {
            $0.discovery["authorization_response_iss_parameter_supported"] = .bool(true)
        },
        Lie("neither code nor error", "neither a code nor an error") { $0.answer = ["code": "", "other": "x"] },
        Lie("another error", "refused the sign-in: server_error") {
            $0.answer = ["code": "", "error": "server_error", "error_description": "<b>"]
        },
        Lie("another state", "not to a sign-in that this browser began") { $0.answer["state"] = "other" },
        Lie("no state", "not to a sign-in that this browser began") { $0.answer["state"] = "" },
        Lie("a made-up code", "refused the code: invalid_code") { $0.answer["code"] = "made-up" },
    ]

    @Test("A provider that lies signs nobody in, with its reason in the log", arguments: claims + tokens + answers)
    func lies(lie: Lie) async throws {
        let book = LogBook()
        try await ProviderStage.run(logger: book.logger()) { stage in
            stage.provider.setManner(lie.change)
            let visitor = WebVisitor(stage.server)
            let count = try await stage.accounts.users.all().count
            let answer = try await stage.signIn(visitor)
            #expect([400, 503].contains(answer.status), "\(answer.status)")
            #expect(!answer.text.contains("<b>") && answer.text.contains("Sign-in did not work"))
            #expect(try await stage.account(visitor) == nil)
            #expect(try await stage.accounts.users.all().count == count)
            let lines = book.lines.filter { $0.contains("sign-in at a provider refused") }
            #expect(lines.count == 1 && lines[0].contains(lie.reason), "\(lines)")
        }
    }

    @Test("Another browser's answer signs nobody in") func otherBrowser() async throws {
        try await ProviderStage.run { stage in
            let answer = try stage.agree(try await stage.begin(WebVisitor(stage.server)))
            let victim = WebVisitor(stage.server)
            #expect(try await victim.open(answer).status == 400)
            #expect(try await stage.account(victim) == nil)
        }
    }

    @Test("A state is good once, even with the cookie kept and another code") func replay() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let begun = try await stage.begin(visitor)
            let query = FormFields((begun.split(separator: "?").last ?? "").utf8)
            let name = try #require(ProviderStage.cookie(of: query["state"] ?? ""))
            let kept = try #require(visitor.cookie(name))
            let answer = try stage.agree(begun)
            #expect(try await visitor.open(answer).status == 303)
            visitor.setCookie(name, kept)
            #expect(try await visitor.open(answer).status == 400)
            visitor.setCookie(name, kept)
            let again = try await visitor.open(try stage.agree(begun))
            #expect(again.status == 400 && again.text.contains("has been used"))
        }
    }

    @Test("An attempt is good for ten minutes") func late() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let answer = try stage.agree(try await stage.begin(visitor))
            stage.fixture.pass(seconds: 600)
            #expect(try await visitor.open(answer).status == 400)
        }
    }

    @Test("An answer on another provider's path is refused") func mixUp() async throws {
        try await ProviderStage.run { stage in
            try await stage.add("two")
            let visitor = WebVisitor(stage.server)
            let answer = try stage.agree(try await stage.begin(visitor))
            #expect(try await visitor.open(answer.replacing("/with/id", with: "/with/two")).status == 400)
            #expect(try await stage.account(visitor) == nil)
        }
    }

    @Test("A changed cookie is no attempt") func changedCookie() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let begun = try await stage.begin(visitor)
            let query = FormFields((begun.split(separator: "?").last ?? "").utf8)
            let name = try #require(ProviderStage.cookie(of: query["state"] ?? ""))
            visitor.setCookie(name, "A" + (visitor.cookie(name) ?? "").dropFirst())
            #expect(try await visitor.open(try stage.agree(begun)).status == 400)
        }
    }

    @Test("Who may not come in gets no account") func notAdmitted() async throws {
        try await ProviderStage.run(provider: { $0.admission = .nobody }) { stage in
            let visitor = WebVisitor(stage.server)
            let refused = try await stage.signIn(visitor)
            #expect(refused.status == 403)
            #expect(try await stage.account(visitor) == nil)
        }
    }

    @Test("A disabled account is not signed in") func disabled() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            let account = try #require(try await stage.account(visitor))
            _ = try await stage.accounts.users.setDisabled(true, email: account.idText)
            #expect(try await stage.signIn(WebVisitor(stage.server)).status == 403)
        }
    }

    @Test("There is no page for an unknown provider") func unknown() async throws {
        try await ProviderStage.run { stage in
            let page = try await WebVisitor(stage.server).open("/auth/with/other")
            #expect(page.status == 404)
        }
    }
}
