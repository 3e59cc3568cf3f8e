import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import TestCloud
import Testing

/// Signing in at a provider, by the code flow.
@Suite(.timeLimit(.minutes(10)))
struct ProviderSignInTests {
    private static let told: [String: JSONValue] = [
        "email": .string("ann@example.org"), "email_verified": .bool(true), "given_name": .string("Ann"),
    ]

    @Test("The first sign-in makes an account, the second finds it") func firstAndSecond() async throws {
        try await ProviderStage.run { stage in
            stage.provider.setManner { $0.claims = Self.told }
            let (first, second) = (WebVisitor(stage.server), WebVisitor(stage.server))
            let page = try await first.open("/auth/signin?return=/account")
            #expect(page.text.contains(#"href="/auth/with/id?return=%2Faccount""#))
            let answer = try await stage.signIn(first, "/auth/with/id?return=%2Faccount")
            #expect(answer.status == 303 && answer.headers[.location] == "/account")
            let account = try #require(try await stage.account(first))
            #expect(account.email == "ann@example.org" && !account.emailVerified && account.givenName == "Ann")
            _ = try await stage.signIn(second)
            #expect(try await stage.account(second)?.id == account.id)
            #expect(try await first.open("/account").text.contains("Example"))
        }
    }

    @Test("The request has what the code flow needs, and each attempt has a cookie") func request() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let answer = try await visitor.open("/auth/with/id")
            let place = try #require(answer.headers[.location])
            let query = FormFields((place.split(separator: "?").last ?? "").utf8)
            #expect(place.hasPrefix(stage.provider.issuer + "/authorize?"))
            #expect(query["response_type"] == "code" && query["code_challenge_method"] == "S256")
            #expect(
                query["redirect_uri"] == "http://localhost/auth/with/id" && query["scope"] == "openid profile email")
            #expect(query["state"]?.count == 43 && query["nonce"]?.count == 43 && query["code_challenge"]?.count == 43)
            let cookie = try #require(answer.headers[values: .setCookie].first)
            #expect(cookie.contains("HttpOnly; SameSite=Lax") && cookie.contains("Max-Age=600; Path=/auth/with"))
            for _ in 0..<3 { _ = try await visitor.open("/auth/with/id") }
            let dropped = try await visitor.open("/auth/with/id").headers[values: .setCookie]
            #expect(dropped.filter { $0.contains("Max-Age=0") }.count == 1)
        }
    }

    @Test("An app's callback gets the token after a sign-in at a provider") func callback() async throws {
        try await ProviderStage.run { stage in
            let app = try await stage.fixture.app(callback: "https://app.example/in")
            let link = try await stage.fixture.link(app, origin: nil)
            let page = try await WebVisitor(stage.server).open(link)
            let address = try #require(page.text.firstMatch(of: #/href="(\/auth\/with\/id[^"]*)"/#)?.output.1)
            let answer = try await stage.signIn(WebVisitor(stage.server), App.unescaped(String(address)))
            #expect(answer.status == 303)
            #expect(answer.headers[.location]?.hasPrefix("https://app.example/in?ckWebAuthToken=1__1__") == true)
        }
    }

    @Test("Who cancels at the provider is told to the app", arguments: ["access_denied", "user_cancelled_authorize"])
    func cancelled(error: String) async throws {
        try await ProviderStage.run { stage in
            stage.provider.setManner { $0.answer = ["code": "", "error": error] }
            let app = try await stage.fixture.app(callback: "https://app.example/in")
            let link = try await stage.fixture.link(app, origin: nil)
            let request = try #require(link.split(separator: "?").last)
            let answer = try await stage.signIn(WebVisitor(stage.server), "/auth/with/id?\(request)")
            #expect(answer.headers[.location] == "https://app.example/in?errorMessage=userCancelled")
        }
    }

    @Test("A window that was opened for a provider signs in and tells the one that waits") func window() async throws {
        try await ProviderStage.run { stage in
            let link = try await stage.fixture.link(try await stage.fixture.app(origins: ["https://app.example"]))
            let request = try #require(link.split(separator: "?").last)
            let visitor = WebVisitor(stage.server)
            let page = try await visitor.open(link)
            #expect(page.text.contains("data-window") && page.text.contains(#"id="goes-on""#))
            let channel = String(repeating: "a1", count: 16)
            let answer = try await stage.signIn(visitor, "/auth/with/id?\(request)&window=\(channel)")
            #expect(answer.text.contains(#"data-channel="\#(channel)" value="signed-in""#))
            #expect(Handover(answer.text) == nil)
            let done =
                try await visitor.open(link).status == 200
                ? visitor.submit("/auth/signin", ["action": "continue"]) : nil
            #expect(Handover(done?.text ?? "")?.items["ckWebAuthToken"] != nil)
        }
    }

    @Test("Claims that the token lacks are read from the user information") func userInfo() async throws {
        try await ProviderStage.run { stage in
            stage.provider.setManner { $0.userInfo = Self.told.merging(["sub": .string("person")]) { $1 } }
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            #expect(try await stage.account(visitor)?.email == "ann@example.org")
        }
    }

    @Test("Two tabs sign in at once") func tabs() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let (one, other) = (
                try await stage.begin(visitor), try await stage.begin(visitor, "/auth/with/id?return=/account")
            )
            #expect(try await visitor.open(try stage.agree(one)).headers[.location] == "/auth/signin")
            #expect(try await visitor.open(try stage.agree(other)).headers[.location] == "/account")
        }
    }

    @Test("An answer by form is taken from another site, and brings the cookies by a redirect") func form() async throws
    {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let answer = try stage.agree(try await stage.begin(visitor))
            let fields = FormFields((answer.split(separator: "?").last ?? "").utf8)
            let stranger = WebVisitor(stage.server)
            let kept = try await stranger.submit(
                "/auth/with/id", ["code": fields["code"] ?? "", "state": fields["state"] ?? ""],
                headers: [.origin: "https://id.example"])
            let place = try #require(kept.status == 303 ? kept.headers[.location] : nil)
            #expect(place.hasPrefix("/auth/with/id?answer="))
            #expect(try await stranger.open(place).status == 400)
            #expect(try await visitor.open(place).status == 303)
            #expect(try await stage.account(visitor) != nil)
        }
    }

    @Test("A form's answer is good for a minute") func lateForm() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            let answer = try stage.agree(try await stage.begin(visitor))
            let fields = FormFields((answer.split(separator: "?").last ?? "").utf8)
            let kept = try await visitor.submit(
                "/auth/with/id", ["code": fields["code"] ?? "", "state": fields["state"] ?? ""])
            stage.fixture.pass(seconds: 61)
            #expect(try await visitor.open(try #require(kept.headers[.location])).status == 400)
        }
    }

    @Test("People go to the only provider at once if its entry says so") func atOnce() async throws {
        try await ProviderStage.run(provider: { $0.startsAtOnce = true }) { stage in
            let visitor = WebVisitor(stage.server)
            let way = try await visitor.open("/auth/signin?return=/account").headers[.location]
            #expect(way == "/auth/with/id?return=%2Faccount")
            #expect(try await visitor.open("/auth/signin?other=1").status == 200)
        }
    }

    // MARK: Whose account

    @Test("The owner of a confirmed address connects an identity by the password") func ownsAddress() async throws {
        try await ProviderStage.run(provider: { $0.trustsAddresses = true }) { stage in
            stage.provider.setManner { $0.claims = ["email": .string(SignInFixture.email)] }
            let visitor = WebVisitor(stage.server)
            let answer = try await stage.signIn(visitor)
            #expect(answer.headers[.location] == "/auth/connect")
            #expect(try await stage.account(visitor) == nil)
            #expect(try await visitor.open("/auth/connect").text.contains(SignInFixture.email))
            #expect(try await visitor.submit("/auth/connect", ["password": "wrong horse"]).status == 401)
            #expect(try await visitor.submit("/auth/connect", ["password": SignInFixture.password]).status == 303)
            #expect(try await stage.account(visitor)?.email == SignInFixture.email)
            let again = WebVisitor(stage.server)
            _ = try await stage.signIn(again)
            #expect(try await stage.account(again)?.email == SignInFixture.email)
        }
    }

    @Test("A provider that is no authority gives nobody's address away") func noAuthority() async throws {
        try await ProviderStage.run { stage in
            stage.provider.setManner {
                $0.claims = ["email": .string(SignInFixture.email), "email_verified": .bool(true)]
            }
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            let account = try #require(try await stage.account(visitor))
            #expect(account.email == nil)
        }
    }

    @Test("An identity is connected only after a fresh proof, by a link of this session") func connecting() async throws
    {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await visitor.open("/auth/signin")
            _ = try await visitor.submit(
                "/auth/signin", ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"])
            stage.fixture.pass(seconds: 601)
            #expect(!(try await visitor.open("/account").text.contains("?connect=")))
            #expect(try await visitor.submit("/account/ways", ["do": "prove", "current": "wrong horse"]).status == 401)
            #expect(
                try await visitor.submit("/account/ways", ["do": "prove", "current": SignInFixture.password]).status
                    == 303)
            let page = try await visitor.open("/account").text
            let link = String(try #require(page.firstMatch(of: #/href="(\/auth\/with\/id\?connect=[^"]*)"/#)?.output.1))
            #expect(try await visitor.open("/auth/with/id?connect=forged").status == 403)
            #expect(try await WebVisitor(stage.server).open(link).status == 403)
            #expect(try await stage.signIn(visitor, link).headers[.location] == "/account")
            let account = try #require(try await stage.account(visitor))
            let identity = try #require(try await stage.accounts.identities.all(of: account).first)
            _ = try await visitor.open("/account")
            #expect(
                try await visitor.submit("/account/ways", ["do": "disconnect", "identity": identity.key]).status == 303)
            #expect(try await stage.accounts.identities.all(of: account).isEmpty)
        }
    }

    @Test("The only way in stays") func lastWay() async throws {
        try await ProviderStage.run { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor)
            let account = try #require(try await stage.account(visitor))
            let identity = try #require(try await stage.accounts.identities.all(of: account).first)
            _ = try await visitor.open("/account")
            let answer = try await visitor.submit("/account/ways", ["do": "disconnect", "identity": identity.key])
            #expect(answer.status == 409 && answer.text.contains("only way to sign in"))
        }
    }

    @Test("An answer in a browser where another account is signed in connects nothing") func victimsSession()
        async throws
    {
        try await ProviderStage.run { stage in
            let attacker = WebVisitor(stage.server)
            _ = try await stage.signIn(attacker)
            let page = try await attacker.open("/account").text
            let link = String(try #require(page.firstMatch(of: #/href="(\/auth\/with\/id\?connect=[^"]*)"/#)?.output.1))
            stage.provider.setManner { $0.subject = "another" }
            let answer = try stage.agree(try await stage.begin(attacker, link))
            let mine = try #require(try await stage.account(attacker))
            attacker.setCookie("cumulus_session", nil)
            #expect(try await attacker.open(answer).status == 403)
            #expect(try await stage.accounts.identities.all(of: mine).count == 1)
        }
    }
}
