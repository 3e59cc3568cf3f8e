import CloudAccounts
import CloudHTTP
import CloudModel
import CloudServer
import CloudWire
import TestCloud
import TestPasskeys
import Testing

/// Passkeys through the pages' routes.
@Suite(.timeLimit(.minutes(5)))
struct PasskeyPageTests {
    private static let name = SignInFixture.email

    private func run(_ body: @Sendable (SignInFixture) async throws -> Void) async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { try await body($0) }
    }

    /// The options that a script gets, with the sealed challenge and the form's guard.
    private struct Asked {
        let ticket: String
        let challenge: String
        let form: String
    }

    private func ask(_ visitor: WebVisitor, _ page: String, _ path: String, _ fields: [String: String] = [:])
        async throws -> Asked
    {
        let shown = try await visitor.open(page)
        let form = try #require(shown.text.firstMatch(of: #/name="form" value="([^"]*)"/#)).output.1
        let answer = try await visitor.submit(path, fields)
        #expect(answer.status == 200, "\(answer.text)")
        return Asked(
            ticket: try #require(answer["ticket"]?.string),
            challenge: try #require(answer["options"]?.object?["challenge"]?.string), form: String(form))
    }

    private func signedIn(_ fixture: SignInFixture) async throws -> WebVisitor {
        let visitor = WebVisitor(fixture.server)
        _ = try await visitor.open("/auth/signin?return=/account")
        let answer = try await visitor.submit(
            "/auth/signin", ["email": Self.name, "password": SignInFixture.password, "action": "signin"])
        #expect(answer.headers[.location] == "/account")
        return visitor
    }

    private func added(_ fixture: SignInFixture, _ visitor: WebVisitor) async throws -> TestPasskey {
        var passkey = TestPasskey()
        let asked = try await ask(visitor, "/account", "/account/passkeys/options", ["do": "add"])
        let answer = try await visitor.submit(
            "/account/passkeys",
            [
                "do": "add", "form": asked.form, "ticket": asked.ticket, "name": "Phone",
                "answer": passkey.registration(asked.challenge),
            ])
        #expect(answer.status == 303, "\(answer.text)")
        let accounts = fixture.server.accounts
        let account = try #require(try await accounts.users.find(email: Self.name))
        passkey.userHandle = try await accounts.passkeys.userHandle(of: account)
        return passkey
    }

    private func signIn(_ visitor: WebVisitor, _ asked: Asked, _ answer: String) async throws -> Answer {
        try await visitor.submit(
            "/auth/passkey", ["form": asked.form, "ticket": asked.ticket, "answer": answer, "return": "/account"],
            headers: [.origin: "http://localhost", .forwardedFor: "192.0.2.1"])
    }

    private func asked(_ visitor: WebVisitor) async throws -> Asked {
        try await ask(visitor, "/auth/signin?return=/account", "/auth/passkey/options")
    }

    @Test("A passkey is added at the account page, and signs in another browser") func signsIn() async throws {
        try await run { fixture in
            let visitor = try await signedIn(fixture)
            let passkey = try await added(fixture, visitor)
            #expect(try await visitor.open("/account").text.contains("Phone"))
            let other = WebVisitor(fixture.server)
            let asked = try await asked(other)
            let answer = try await signIn(other, asked, passkey.assertion(asked.challenge))
            #expect(answer.status == 303 && answer.headers[.location] == "/account", "\(answer.text)")
            #expect(try await other.open("/account").text.contains("last used"))
        }
    }

    @Test("Answers that are replayed, late, of another browser or without a check of the person are refused")
    func refusals() async throws {
        try await run { fixture in
            let passkey = try await added(fixture, try await signedIn(fixture))
            let (visitor, stranger) = (WebVisitor(fixture.server), WebVisitor(fixture.server))
            let first = try await asked(visitor)
            let second = try await asked(visitor)
            let foreign = try await asked(stranger)
            #expect(try await signIn(visitor, second, passkey.assertion(first.challenge)).status == 401)
            let stolen = Asked(ticket: first.ticket, challenge: first.challenge, form: foreign.form)
            #expect(try await signIn(stranger, stolen, passkey.assertion(first.challenge)).status == 401)
            var careless = passkey
            careless.flags = 0x01
            #expect(try await signIn(visitor, first, careless.assertion(first.challenge)).status == 401)
            #expect(try await signIn(visitor, first, "{").status == 401)
            let good = passkey.assertion(first.challenge)
            #expect(try await signIn(visitor, first, good).status == 303)
            #expect(try await signIn(visitor, first, good).status == 401)
            fixture.pass(seconds: 301)
            #expect(try await signIn(visitor, second, passkey.assertion(second.challenge)).status == 401)
        }
    }

    @Test("Refused passkeys are counted by address") func guesses() async throws {
        try await SignInFixture.run(configure: {
            $0.publicURL = "http://localhost"
            $0.guessing.perAddress = 3
            $0.trustForwardedFor = true
        }) { fixture in
            let visitor = WebVisitor(fixture.server)
            let asked = try await asked(visitor)
            let answer = TestPasskey().assertion(asked.challenge)
            let statuses = try await (0..<4).asyncMap { _ in try await signIn(visitor, asked, answer).status }
            #expect(statuses == [401, 401, 401, 429])
        }
    }

    @Test("Adding a passkey takes a password within ten minutes") func freshProof() async throws {
        try await run { fixture in
            let visitor = try await signedIn(fixture)
            fixture.pass(seconds: 601)
            for (password, status) in [("", 401), ("wrong", 401), (SignInFixture.password, 200)] {
                #expect(try await visitor.open("/account").text.contains("passkey-password"))
                let answer = try await visitor.submit(
                    "/account/passkeys/options", ["do": "add", "password": password])
                #expect(answer.status == status)
                #expect((answer["problem"] == nil) == (status == 200))
            }
            #expect(try await !visitor.open("/account").text.contains("passkey-password"))
        }
    }

    @Test("A server without a public URL has no passkeys") func off() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            let page = try await visitor.open("/auth/signin")
            #expect(!page.text.contains("passkeys.js"))
            #expect(try await visitor.submit("/auth/passkey/options", [:]).status == 404)
        }
    }
}
