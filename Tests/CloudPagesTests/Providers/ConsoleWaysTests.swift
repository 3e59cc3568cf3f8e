import CloudAccounts
import CloudHTTP
import CloudModel
import CloudPages
import CloudServer
import CloudWire
import TestCloud
import TestPasskeys
import Testing

/// Operators sign in to the console by a passkey and by a provider.
@Suite(.timeLimit(.minutes(15)))
struct ConsoleWaysTests {
    private static func open(_ configuration: inout ServerConfiguration) {
        configuration.publicURL = "http://localhost"
        configuration.consoleIsEnabled = true
    }

    /// Adds a passkey to an operator's account, as whoever has the password can.
    private static func addPasskey(_ passkey: inout TestPasskey, _ server: TestServer, email: String) async throws {
        let account = try #require(try await server.accounts.users.find(email: email))
        let visitor = WebVisitor(server)
        _ = try await visitor.open("/auth/signin?return=/account")
        _ = try await visitor.submit(
            "/auth/signin", ["email": email, "password": ConsoleOperator.password, "action": "signin"])
        let page = try await visitor.open("/account")
        let form = String(try #require(page.text.firstMatch(of: #/name="form" value="([^"]*)"/#)).output.1)
        let asked = try await visitor.submit("/account/passkeys/options", ["do": "add"])
        let challenge = try #require(asked["options"]?.object?["challenge"]?.string)
        let answer = try await visitor.submit(
            "/account/passkeys",
            [
                "do": "add", "form": form, "ticket": try #require(asked["ticket"]?.string),
                "answer": passkey.registration(challenge),
            ])
        #expect(answer.status == 303, "\(answer.text)")
        passkey.userHandle = try await server.accounts.passkeys.userHandle(of: account)
    }

    private static func signIn(
        _ visitor: WebVisitor, _ passkey: TestPasskey, options: String = "/console/passkey/options"
    ) async throws -> Answer {
        let page = try await visitor.open("/console/signin?return=/console/people")
        let form = String(try #require(page.text.firstMatch(of: #/name="form" value="([^"]*)"/#)).output.1)
        let asked = try await visitor.submit(options, [:])
        let challenge = asked["options"]?.object?["challenge"]?.string ?? ""
        return try await visitor.submit(
            "/console/passkey",
            [
                "form": form, "return": "/console/people", "ticket": asked["ticket"]?.string ?? "",
                "answer": passkey.assertion(challenge),
            ])
    }

    @Test("A passkey is both factors once a code was entered beside it") func passkey() async throws {
        let log = LogBook()
        let clock = TestClock()
        try await ConsoleOperator.run(configure: Self.open, clock: clock, log: log) { ines in
            try await ines.enrol()
            var passkey = TestPasskey()
            try await Self.addPasskey(&passkey, ines.server, email: ConsoleOperator.email)
            // Whoever knows the password alone could have added it.
            ines.visitor.setCookie("cumulus_console", nil)
            let first = try await Self.signIn(ines.visitor, passkey)
            #expect(first.headers[.location] == "/console/code?return=%2Fconsole%2Fpeople", "\(first.text)")
            #expect(try await ines.visitor.open("/console/people").status == 303)
            clock.advance(.seconds(60))
            #expect(try await ines.giveCode(ines.code()).status == 303)
            #expect(try await ines.visitor.open("/console/people").status == 200)
            let other = WebVisitor(ines.server)
            let second = try await Self.signIn(other, passkey)
            #expect(second.headers[.location] == "/console/people", "\(second.text)")
            #expect(try await other.open("/console/people").status == 200)
            let lines = try await ines.server.accounts.audit.entries(limit: 10).map(\.action)
            #expect(lines.contains("signed in to the console with a passkey"), "\(lines)")
            // A reset of the second factor trusts no passkey any more.
            _ = try await ines.server.accounts.operators.resetSecondFactor(email: ConsoleOperator.email)
            #expect(try await other.open("/console/people").status == 303)
            let third = try await Self.signIn(WebVisitor(ines.server), passkey)
            #expect(third.headers[.location]?.hasPrefix("/console/code") == true)
        }
        #expect(log.lines(with: "operator signed in").count == 3)
    }

    @Test("A passkey of somebody else, a challenge for the pages and a forged answer do not open the console")
    func refusedPasskeys() async throws {
        try await ConsoleOperator.run(configure: Self.open) { ines in
            _ = try await ines.server.accounts.users.create(email: "mei@example.com")
            _ = try await ines.server.accounts.users.setPassword(ConsoleOperator.password, email: "mei@example.com")
            var (own, foreign) = (TestPasskey(id: 1), TestPasskey(id: 2))
            try await Self.addPasskey(&own, ines.server, email: ConsoleOperator.email)
            try await Self.addPasskey(&foreign, ines.server, email: "mei@example.com")
            let visitor = WebVisitor(ines.server)
            #expect(try await Self.signIn(visitor, foreign).status == 401)
            #expect(try await Self.signIn(visitor, own, options: "/auth/passkey/options").status == 401)
            var forged = own
            forged.origin = "https://evil.example"
            #expect(try await Self.signIn(visitor, forged).status == 401)
            #expect(visitor.cookie("cumulus_console") == nil)
        }
    }

    @Test("A provider is the first factor, and a code the second") func provider() async throws {
        try await ProviderStage.run(configure: Self.open) { stage in
            let account = try #require(try await stage.accounts.users.find(email: SignInFixture.email))
            let enrolment = try await stage.accounts.operators.add(email: SignInFixture.email, role: .owner).code
            try await stage.connect(account)
            let mei = ConsoleOperator(stage.server, enrolment: enrolment)
            let page = try await mei.visitor.open("/console/signin?return=/console/people").text
            let link = App.unescaped(
                String(try #require(page.firstMatch(of: #/href="(\/auth\/with\/id[^"]*)"/#)?.output.1)))
            let answer = try await stage.signIn(mei.visitor, link)
            let place = try #require(answer.headers[.location])
            #expect(place.hasPrefix("/console/with"))
            #expect(mei.visitor.cookie("cumulus_console") == nil)
            #expect(try await mei.visitor.open(place).text.contains("Go on to the console"))
            #expect(
                try await mei.visitor.submit("/console/with", [:], headers: [.origin: "https://evil.example"]).status
                    == 403)
            _ = try await mei.visitor.open(place)
            let begun = try await mei.visitor.submit("/console/with", [:])
            #expect(begun.headers[.location] == "/console/code?return=%2Fconsole%2Fpeople")
            #expect(try await mei.visitor.open("/console/people").status == 303)
            #expect(try await mei.setUp().status == 200)
            #expect(try await mei.visitor.open("/console/people").status == 200)
            // The provider ends it, as all that it began.
            let logout = try await WebVisitor(stage.server).submit(
                "/auth/with/id/logout", ["logout_token": stage.provider.logoutToken()], headers: [:])
            #expect(logout.status == 200)
            #expect(try await mei.visitor.open("/console/people").status == 303)
        }
    }

    @Test("Who is no operator, and who signed in by password or long ago, does not go on by a provider")
    func refusedProvider() async throws {
        try await ProviderStage.run(configure: Self.open) { stage in
            let visitor = WebVisitor(stage.server)
            _ = try await stage.signIn(visitor, "/auth/with/id?return=%2Fconsole%2Fwith")
            _ = try await visitor.open("/console/with")
            #expect(try await visitor.submit("/console/with", [:]).status == 403)
            #expect(visitor.cookie("cumulus_console") == nil)
            stage.fixture.pass(seconds: 601)
            #expect(try await visitor.open("/console/with").headers[.location] == "/console/signin")
            let account = try #require(try await stage.accounts.users.find(email: SignInFixture.email))
            _ = try await stage.accounts.operators.add(email: SignInFixture.email, role: .owner)
            let other = WebVisitor(stage.server)
            other.setCookie(
                "cumulus_session", try await stage.accounts.browserLogins.create(account: account, persistent: false))
            #expect(try await other.open("/console/with").headers[.location] == "/console/signin")
            _ = try await other.open("/console/signin")
            #expect(
                try await other.submit("/console/with", [:]).headers[.location]?.hasPrefix("/console/signin") == true)
        }
    }

    @Test("With passwords off the console offers the other ways, and refuses the password") func withoutPasswords()
        async throws
    {
        try await ProviderStage.run(configure: {
            Self.open(&$0)
            $0.passwords = .off
        }) { stage in
            let page = try await WebVisitor(stage.server).open("/console/signin").text
            #expect(page.contains("/auth/with/id") && page.contains("/console/passkey/options"))
            #expect(!page.contains(#"type="password""#))
        }
    }
}
