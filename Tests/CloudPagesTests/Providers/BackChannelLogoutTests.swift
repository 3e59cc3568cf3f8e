import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import CloudWire
import Synchronization
import TestCloud
import Testing

/// A provider tells that a person signed out there, and people sign out there themselves.
@Suite(.timeLimit(.minutes(10)))
struct BackChannelLogoutTests {
    private static let path = "/auth/with/id/logout"
    private static let forwarded = HTTPField.Name("X-Forwarded-For")!

    private func send(_ stage: ProviderStage, _ token: String, to path: String = path) async throws -> Answer {
        try await WebVisitor(stage.server).submit(path, ["logout_token": token], headers: [Self.forwarded: "192.0.2.1"])
    }

    /// A browser that signed in at the provider, as a session of it.
    private func signedIn(_ stage: ProviderStage, session: String? = nil) async throws -> WebVisitor {
        stage.provider.setManner { $0.claims["sid"] = session.map(JSONValue.string) }
        let visitor = WebVisitor(stage.server)
        _ = try await stage.signIn(visitor)
        #expect(try await stage.account(visitor) != nil)
        return visitor
    }

    @Test("A logout token with a session ends what began in it, in browsers and apps, and nothing else")
    func session() async throws {
        try await ProviderStage.run { stage in
            let app = try await stage.fixture.app(callback: "https://app.example/in")
            let first = try await signedIn(stage, session: "one")
            let other = try await signedIn(stage, session: "two")
            // An app's token that the first browser went on to get.
            _ = try await first.open(try await stage.fixture.link(app, origin: nil))
            let place = try #require(
                try await first.submit("/auth/signin", ["action": "continue"]).headers[.location])
            let token = try #require(FormFields((place.split(separator: "?").last ?? "").utf8)["ckWebAuthToken"])
            var signedIn = app
            signedIn.token = token
            #expect(try await stage.server.send(.get, signedIn.target("public/users/caller")).status == 200)
            let answer = try await send(stage, stage.provider.logoutToken(["sid": .string("one")]))
            #expect(answer.status == 200 && answer.headers[.cacheControl] == "no-store" && answer.text.isEmpty)
            #expect(try await stage.account(first) == nil)
            #expect(try await stage.account(other) != nil)
            #expect(try await stage.server.send(.get, signedIn.target("public/users/caller")).status == 421)
        }
    }

    @Test("A logout token without a session ends all that the person began, but no sign-in by password")
    func subject() async throws {
        try await ProviderStage.run { stage in
            let browsers = [try await signedIn(stage, session: "one"), try await signedIn(stage)]
            let account = try #require(try await stage.account(browsers[0]))
            let password = try await stage.accounts.browserLogins.create(account: account, persistent: false)
            #expect(try await send(stage, stage.provider.logoutToken()).status == 200)
            for browser in browsers { #expect(try await stage.account(browser) == nil) }
            #expect(try await stage.accounts.browserLogins.find(password) != nil)
        }
    }

    @Test("A session that the person signed in with again, or kept alone, goes back to the provider still")
    func continued() async throws {
        try await ProviderStage.run { stage in
            let visitor = try await signedIn(stage, session: "one")
            _ = try await visitor.open("/auth/signin?return=/account")
            #expect(try await visitor.submit("/auth/signin", ["action": "continue"]).status == 303)
            _ = try await visitor.open("/account")
            #expect(try await visitor.submit("/account", ["do": "endOthers"]).status == 303)
            #expect(try await stage.account(visitor) != nil)
            #expect(try await send(stage, stage.provider.logoutToken(["sid": .string("one")])).status == 200)
            #expect(try await stage.account(visitor) == nil)
        }
    }

    @Test(
        "A logout token that breaks a rule ends nothing",
        arguments: [
            ("another issuer", ["iss": .string("https://id.example")], []),
            ("another client", ["aud": .string("another client")], []),
            ("clients beside", ["aud": .array([.string("our client"), .string("another")])], []),
            ("a nonce", ["nonce": .string("n")], []), ("no event", [:], ["events"]),
            ("another event", ["events": .members(["http://example.com": .members([:])])], []),
            ("no id", [:], ["jti"]), ("no time", [:], ["iat"]), ("an old time", ["iat": .integer(1_699_999_879)], []),
            ("a time to come", ["iat": .integer(1_700_000_061)], []),
            ("an expiry that has passed", ["exp": .integer(1_699_999_940)], []),
            ("nobody", [:], ["sub"]), ("a subject that is no text", ["sub": .integer(1)], []),
            ("the session of another person", ["sub": .string("somebody else"), "sid": .string("one")], []),
            ("another session", ["sid": .string("two")], []),
        ] as [(String, [String: JSONValue], Set<String>)])
    func forged(name: String, claims: [String: JSONValue], without: Set<String>) async throws {
        try await ProviderStage.run { stage in
            let visitor = try await signedIn(stage, session: "one")
            let answer = try await send(stage, stage.provider.logoutToken(claims, without: without))
            // Tokens about other sessions are in order, and about nobody here.
            let isOrderly = ["the session of another person", "another session"].contains(name)
            #expect(answer.status == (isOrderly ? 200 : 400), "\(name): \(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(try await stage.account(visitor) != nil, "\(name)")
        }
    }

    @Test("An unsigned token, one by another key, no token and two tokens end nothing") func unsigned() async throws {
        try await ProviderStage.run { stage in
            let visitor = try await signedIn(stage, session: "one")
            let good = stage.provider.logoutToken()
            let parts = good.split(separator: ".").map(String.init)
            let texts = [
                stage.provider.logoutToken(header: ["alg": .string("none")]),
                stage.provider.logoutToken(header: ["alg": .string("HS256")]),
                stage.provider.logoutToken(header: ["kid": .string("other")]),
                stage.provider.logoutToken(header: ["typ": .string("at+jwt")]),
                "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1]).AAAA", "", "x",
                String(repeating: "x", count: 20_000),
            ]
            for text in texts { #expect(try await send(stage, text).status == 400, "\(text.prefix(40))") }
            #expect(try await WebVisitor(stage.server).submit(Self.path, [:], headers: [:]).status == 400)
            #expect(try await send(stage, good, to: "/auth/with/nobody/logout").status == 400)
            #expect(try await stage.account(visitor) != nil)
        }
    }

    @Test("A logout token works once, even if it comes twice at once") func replay() async throws {
        try await ProviderStage.run { stage in
            let token = stage.provider.logoutToken()
            let first = try await signedIn(stage)
            async let one = send(stage, token)
            async let other = send(stage, token)
            let answers = try await [one, other]
            let statuses = answers.map(\.status).sorted()
            #expect(statuses == [200, 400])
            #expect(try await stage.account(first) == nil)
            let again = try await signedIn(stage)
            #expect(try await send(stage, token).status == 400)
            #expect(try await stage.account(again) != nil)
        }
    }

    @Test("A logout token of one provider's entry ends nothing that began at another") func otherEntry() async throws {
        try await ProviderStage.run { stage in
            try await stage.add("second") { $0.clientID = TestProvider.client }
            let visitor = try await signedIn(stage)
            #expect(try await send(stage, stage.provider.logoutToken(), to: "/auth/with/second/logout").status == 200)
            #expect(try await stage.account(visitor) != nil)
        }
    }

    @Test("An identity token is no logout token, and a logout token signs nobody in") func kinds() async throws {
        try await ProviderStage.run { stage in
            let kept = TokenBox()
            stage.provider.setManner {
                $0.token = { token, _ in
                    kept.text = token
                    return token
                }
            }
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            #expect(try await send(stage, kept.text).status == 400)
            #expect(try await stage.account(visitor) != nil)
            stage.provider.setManner { $0.token = { _, provider in provider.logoutToken() } }
            let other = WebVisitor(stage.server)
            #expect(try await stage.signIn(other).status == 400)
            #expect(try await stage.account(other) == nil)
        }
    }

    @Test("Wrong tokens are counted by address, right ones are not") func guesses() async throws {
        try await ProviderStage.run(configure: {
            $0.guessing.perAddress = 3
            $0.trustForwardedFor = true
        }) { stage in
            for id in 0..<5 {
                let token = stage.provider.logoutToken(["jti": .string("right \(id)")])
                #expect(try await send(stage, token).status == 200)
            }
            let statuses = try await (0..<4).asyncMap { _ in try await send(stage, "x").status }
            #expect(statuses == [400, 400, 400, 429])
        }
    }

    // MARK: Sign-out at the provider

    @Test("After signing out, the page offers to sign out at the provider too, with the identity token")
    func offered() async throws {
        try await ProviderStage.run { stage in
            let address = stage.provider.issuer + "/logout?x=1"
            let kept = TokenBox()
            stage.provider.setManner {
                $0.discovery = ["end_session_endpoint": .string(address)]
                $0.token = { token, _ in
                    kept.text = token
                    return token
                }
            }
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            _ = try await visitor.open("/auth/signout")
            let page = try await visitor.submit("/auth/signout", ["return": "/account"])
            #expect(page.status == 200 && page.text.contains("This browser is still signed in at"), "\(page.text)")
            let link = App.unescaped(
                String(try #require(page.text.firstMatch(of: #/href="(http[^"]*)"/#)?.output.1)))
            #expect(link.hasPrefix(address + "&"))
            let query = FormFields((link.split(separator: "?").last ?? "").utf8)
            #expect(query["id_token_hint"] == kept.text && query["client_id"] == TestProvider.client)
            #expect(query["post_logout_redirect_uri"] == "http://localhost/auth/signout" && query["state"]?.count == 43)
            #expect(try await stage.account(visitor) == nil && visitor.cookie("cumulus_session") == nil)
            #expect(try await visitor.open("/auth/signout?state=x").text.contains("You are signed out"))
        }
    }

    @Test("Nothing is offered without such a page, after a sign-in by password, and by another's provider entry")
    func notOffered() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            _ = try await visitor.open("/auth/signout")
            #expect(try await visitor.submit("/auth/signout", ["return": "/account"]).headers[.location] == "/account")
            let account = try #require(try await stage.accounts.users.find(email: SignInFixture.email))
            visitor.setCookie(
                "cumulus_session", try await stage.accounts.browserLogins.create(account: account, persistent: false))
            _ = try await visitor.open("/auth/signout")
            #expect(try await visitor.submit("/auth/signout", [:]).headers[.location] == "/auth/signout")
        }
    }
}

/// A token that a test looks at.
private final class TokenBox: Sendable {
    private let kept = Mutex("")

    var text: String {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }
}
