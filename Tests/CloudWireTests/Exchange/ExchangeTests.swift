import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import CloudServer
import Logging
import NIOCore
import TestCloud
import Testing

/// An app's identity token for a web auth token.
@Suite(.timeLimit(.minutes(10)))
struct ExchangeTests {
    private static func run(
        provider change: @escaping @Sendable (inout SignInProvider) -> Void = { _ in },
        _ body: @escaping @Sendable (ProviderStage, NativeApp) async throws -> Void
    ) async throws {
        try await ProviderStage.run(provider: {
            $0.nativeAudiences = ["com.example.app", "com.example.other"]
            change(&$0)
        }) { stage in
            try await body(stage, try await NativeApp(stage, audiences: ["com.example.app"]))
        }
    }

    @Test("A token signs in, the account is made once, and the web auth token works") func signIn() async throws {
        try await Self.run { stage, app in
            stage.provider.setManner {
                $0.claims = ["email": .string("ann@example.org"), "email_verified": .bool(true)]
            }
            let first = try await app.signIn(["name": .members(["givenName": .string("Ann")])])
            #expect(first.status == 200 && first.headers[.cacheControl] == "no-store")
            let token = try #require(first["ckWebAuthToken"]?.string)
            #expect(first["ckSession"]?.string == token)
            var caller = stage.server.app("c", environment: "production")
            caller.apiToken = app.apiToken
            caller.token = token
            let user = try await stage.server.send(.get, caller.target("public/users/caller"))
            #expect(user["userRecordName"]?.string == first["userRecordName"]?.string)
            let second = try await app.signIn()
            #expect(second["userRecordName"]?.string == first["userRecordName"]?.string)
            let identity = try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person")
            let account = try await stage.accounts.users.find(named: "\(try #require(identity).account)")
            #expect(account?.givenName == "Ann" && account?.emailVerified == false)
        }
    }

    @Test("The nonce is accepted as it is and as its digest") func nonces() async throws {
        try await Self.run { stage, app in
            let nonce = try await app.nonce()
            #expect(nonce.hashed == SignInNonce.digest(of: nonce.raw) && nonce.raw.utf8.count < 256)
            let raw = stage.provider.idToken(for: app.client, nonce: nonce.raw)
            #expect(try await app.send(raw, nonce.raw).status == 200)
        }
    }

    @Test("A nonce works once, for two requests at once too") func once() async throws {
        try await Self.run { stage, app in
            let nonce = try await app.nonce()
            let token = stage.provider.idToken(for: app.client, nonce: nonce.hashed)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await app.send(token, nonce.raw).status } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 401])
            #expect(try await app.send(token, nonce.raw).status == 401)
        }
    }

    @Test("A nonce is for one API token, and for ten minutes") func foreignNonce() async throws {
        try await Self.run { stage, app in
            let other = try await NativeApp(stage, audiences: ["com.example.app"])
            let nonce = try await other.nonce()
            let token = stage.provider.idToken(for: app.client, nonce: nonce.hashed)
            let refused = try await app.send(token, nonce.raw)
            #expect(refused.status == 401 && refused.text.contains("another API token"))
            #expect(try await other.send(token, nonce.raw).status == 200)

            let late = try await app.nonce()
            stage.fixture.pass(seconds: 601)
            let fresh = stage.provider.idToken(for: app.client, nonce: late.hashed)
            #expect(try await app.send(fresh, late.raw).status == 401)
        }
    }

    @Test("A token of another app of the team is refused, and so is an API token without audiences")
    func audiences() async throws {
        try await Self.run { stage, app in
            for client in ["com.example.other", TestProvider.client, "com.example.stranger"] {
                var other = app
                other.client = client
                let refused = try await other.signIn()
                #expect(refused.status == 401 && refused.text.contains("for another client"), "\(client)")
            }
            stage.provider.setManner { $0.claims["azp"] = .string("com.example.other") }
            #expect(try await app.signIn().text.contains("issued to another client"))
            stage.provider.setManner {
                $0.claims = ["aud": .array([.string("com.example.app"), .string("com.example.other")])]
            }
            #expect(try await app.signIn().text.contains("not known here"))
            for audiences in [[], ["com.example.unnamed"]] {
                let bare = try await NativeApp(stage, audiences: audiences, client: "com.example.app")
                #expect(try await bare.signIn().status == 403)
            }
            #expect(try await stage.accounts.users.all().count == 1)
        }
    }

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reason: String
        let change: @Sendable (inout TestProvider.Manner) -> Void

        init(_ name: String, _ reason: String, _ change: @escaping @Sendable (inout TestProvider.Manner) -> Void) {
            (testDescription, self.reason, self.change) = (name, reason, change)
        }
    }

    private static let lies: [Lie] = [
        Lie("no nonce", "has no nonce") { $0.without = ["nonce"] },
        Lie("another nonce", "nonce of another") { $0.claims["nonce"] = .string("other") },
        Lie("issued eleven minutes ago", "too long ago") { $0.claims["iat"] = .integer(1_700_000_000 - 660) },
        Lie("no time of issue", "when it was issued") { $0.without = ["iat"] },
        Lie("expired", "has expired") { $0.claims["exp"] = .integer(1_600_000_000) },
        Lie("another issuer", "from another issuer") { $0.claims["iss"] = .string("https://evil.example") },
        Lie("a logout token", "another kind") { $0.claims["events"] = .object(JSONObject()) },
        Lie("no subject", "subject is not") { $0.without = ["sub"] },
        Lie("the algorithm none", "algorithm is not allowed") { $0.header["alg"] = .string("none") },
        Lie("a shared secret", "algorithm is not allowed") { $0.header["alg"] = .string("HS256") },
        Lie("an unknown key", "has the token's key id") { $0.header["kid"] = .string("other") },
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

    @Test("A forged token signs nobody in, with its reason in the log and the trail", arguments: lies)
    func forged(lie: Lie) async throws {
        let book = LogBook()
        try await ProviderStage.run(logger: book.logger(), provider: { $0.nativeAudiences = ["com.example.app"] }) {
            stage in
            let app = try await NativeApp(stage, audiences: ["com.example.app"])
            stage.provider.setManner(lie.change)
            let answer = try await app.signIn()
            #expect(answer.status == 401 && answer["serverErrorCode"]?.string == "AUTHENTICATION_FAILED")
            #expect(answer.text.contains(lie.reason), "\(answer.text)")
            let lines = book.lines(with: "sign-in at a provider refused")
            #expect(lines.contains { $0.contains(lie.reason) && $0.contains("log=security") })
            #expect(book.lines(with: "wrong API token").isEmpty)
            #expect(try await stage.accounts.users.all().count == 1)
        }
    }

    @Test("A token is never logged") func secrecy() async throws {
        let book = LogBook()
        try await ProviderStage.run(logger: book.logger(.trace), provider: { $0.nativeAudiences = ["com.example.app"] })
        { stage in
            let app = try await NativeApp(stage, audiences: ["com.example.app"])
            let nonce = try await app.nonce()
            let token = stage.provider.idToken(for: "com.example.other", nonce: nonce.hashed)
            #expect(try await app.send(token, nonce.raw).status == 401)
            let middle = String(token.split(separator: ".")[1].prefix(40))
            #expect(book.lines(with: middle).isEmpty && book.lines(with: nonce.raw).isEmpty)
        }
    }

    @Test("Many unknown keys cause one fetch, and an address is stopped in the end") func flood() async throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        try await ProviderStage.run(
            configure: { $0.trustForwardedFor = true }, provider: { $0.nativeAudiences = ["com.example.app"] }
        ) { stage in
            var app = try await NativeApp(stage, audiences: ["com.example.app"])
            app.headers[forwarded] = "203.0.113.1"
            #expect(try await app.signIn().status == 200)
            stage.provider.setManner { $0.header["kid"] = .string("unknown") }
            var last = 0
            for _ in 0..<61 { last = try await app.signIn().status }
            #expect(stage.provider.requests.filter { $0 == "/keys" }.count <= 2)
            #expect(last == 429)
            stage.provider.setManner { $0.header = [:] }
            #expect(try await app.signIn().status == 429)
            app.headers[forwarded] = "203.0.113.2"
            #expect(try await app.signIn().status == 200)
        }
    }

    @Test("A disabled account stays out") func disabled() async throws {
        try await Self.run { stage, app in
            #expect(try await app.signIn().status == 200)
            let identity = try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person")
            let id = try #require(identity).account
            _ = try await stage.accounts.users.setDisabled(true, email: "\(id)")
            let refused = try await app.signIn()
            #expect(refused.status == 403 && refused.text.contains("disabled"))
        }
    }

    @Test("A rule of the provider keeps strangers out") func admission() async throws {
        try await Self.run(provider: { $0.admission = .nobody }) { stage, app in
            let refused = try await app.signIn()
            #expect(refused.status == 403)
            #expect(try await stage.accounts.users.all().count == 1)
        }
    }

    @Test("The owner of an address is sent to the sign-in page, and nothing is connected") func owner() async throws {
        try await Self.run(provider: { $0.trustsAddresses = true }) { stage, app in
            stage.provider.setManner {
                $0.claims = ["email": .string(SignInFixture.email), "email_verified": .bool(true)]
            }
            let answer = try await app.signIn()
            #expect(answer.status == 421 && answer["redirectURL"]?.string?.contains("/auth/signin?request=") == true)
            #expect(try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person") == nil)
            #expect(try await stage.accounts.users.all().count == 1)
        }
    }

    @Test("An unconfirmed address that somebody entered first is taken from them, with their password")
    func preHijacking() async throws {
        try await Self.run(provider: { $0.trustsAddresses = true }) { stage, app in
            let registration = try await stage.accounts.registrations.begin(
                email: "ann@example.org", password: "a long password", givenName: nil, familyName: nil)
            #expect(!registration.id.isEmpty)
            stage.provider.setManner {
                $0.claims = ["email": .string("ann@example.org"), "email_verified": .bool(true)]
            }
            #expect(try await app.signIn().status == 200)
            let account = try #require(try await stage.accounts.users.find(email: "ann@example.org"))
            #expect(account.emailVerified && !account.hasPassword)
        }
    }

    @Test("A person without authority over an address does not get it") func unprovenAddress() async throws {
        try await Self.run { stage, app in
            stage.provider.setManner {
                $0.claims = ["email": .string(SignInFixture.email), "email_verified": .bool(true)]
            }
            #expect(try await app.signIn().status == 200)
            let identity = try await stage.accounts.identities.find(issuer: stage.provider.issuer, subject: "person")
            let account = try await stage.accounts.users.find(named: "\(try #require(identity).account)")
            #expect(account != nil && account?.email == nil)
        }
    }

    @Test("A provider that cannot be reached is told with a time to wait") func unreachable() async throws {
        try await Self.run { stage, app in
            stage.provider.setManner { $0.discovery["issuer"] = .string("https://evil.example") }
            let answer = try await app.signIn()
            #expect(answer.status == 503 && answer["retryAfter"]?.integer == 60)
        }
    }

    @Test("A bad body gets the field and its limit") func bodies() async throws {
        try await Self.run { stage, app in
            let good: [String: JSONValue] = [
                "provider": .string("id"), "idToken": .string("a.b.c"), "nonce": .string("n"),
            ]
            let bad: [(String, JSONValue, Int, String)] = [
                ("provider", .null, 400, "provider: missing"), ("provider", .string("none"), 404, "provider: there is"),
                ("provider", .integer(1), 400, "provider: must be a string"),
                ("idToken", .null, 400, "idToken: missing"),
                ("idToken", .string(String(repeating: "a", count: 16_385)), 400, "idToken: is longer than 16384"),
                ("nonce", .string(""), 400, "nonce: missing"),
                ("nonce", .string(String(repeating: "a", count: 513)), 400, "nonce: is longer than 512"),
                ("nonce", .string("forged"), 401, "nonce: it is not"), ("name", .string("Ann"), 400, "name: must be"),
                ("authorizationCode", .integer(1), 400, "authorizationCode: must be a string"),
                ("persistent", .string("yes"), 400, "persistent: must be"),
                ("container", .string("other"), 401, "container: the API token is of another"),
                ("environment", .string("development"), 401, "environment: the API token is of another"),
                ("environment", .string("moon"), 400, "environment: must be"),
            ]
            for (key, value, status, reason) in bad {
                var body = good
                body[key] = value
                let answer = try await app.post(body)
                #expect(answer.status == status && answer.text.contains(reason), "\(key): \(answer.text)")
            }
            let huge = ByteBuffer(repeating: UInt8(ascii: " "), count: 65 << 10)
            for path in ["/auth/exchange", "/auth/exchange/nonce"] {
                let target = "\(path)?ckAPIToken=\(app.apiToken)"
                #expect(try await stage.server.send(.post, target, body: huge).status == 413)
                #expect(try await stage.server.send(.post, target, body: ByteBuffer(string: "[]")).status == 400)
                #expect(try await stage.server.send(.post, path).status == 401)
                #expect(try await stage.server.send(.post, path + "?ckAPIToken=unknown").status == 401)
            }
        }
    }

    @Test("Pages of other origins get neither nonce nor token") func origins() async throws {
        try await Self.run { stage, _ in
            let token = try await stage.accounts.apiTokens.create(
                container: "c", environment: .production, name: "web", allowedOrigins: ["https://app.example"],
                audiences: ["com.example.app"]
            ).text
            let target = "/auth/exchange/nonce?ckAPIToken=\(token)"
            #expect(try await stage.server.send(.post, target).status == 403)
            #expect(
                try await stage.server.send(.post, target, headers: [.origin: "https://evil.example"]).status == 403)
            let answer = try await stage.server.send(.post, target, headers: [.origin: "https://app.example"])
            #expect(answer.status == 200 && answer.headers[.accessControl.allowOrigin] != nil)
        }
    }

    @Test("GitHub has no identity tokens, which is said") func gitHub() async throws {
        try await Self.run { stage, app in
            let entry = SignInProvider(name: "github", kind: .github, clientID: "c")
            _ = try await stage.accounts.providers.add(entry, secret: ProviderSecret("secret"))
            let answer = try await app.signIn(["provider": .string("github")])
            #expect(answer.status == 400 && answer.text.contains("GitHub gives out no identity tokens"))
        }
    }

    @Test("Asking for nonces stores nothing") func nothingGrows() async throws {
        try await Self.run { stage, app in
            let before = try await stage.accounts.revision()
            for _ in 0..<50 { _ = try await app.nonce() }
            #expect(try await stage.accounts.revision() == before)
        }
    }
}
