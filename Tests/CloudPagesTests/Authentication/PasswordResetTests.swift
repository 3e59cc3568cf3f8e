@testable import CloudHTTP
@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudEngine
import TestCloud
import CloudModel
import Foundation
import Testing

@Suite("A forgotten password")
struct PasswordResetTests {
    private static let password = "battery staple"

    /// Asks for a new password and opens the page that wants the code.
    private func ask(_ visitor: WebVisitor, _ email: String) async throws -> Answer {
        #expect(try await visitor.open("/auth/forgot").status == 200)
        let answer = try await visitor.submit("/auth/forgot", ["email": email])
        #expect(answer.status == 303)
        return try await visitor.open(try #require(answer.headers[.location]))
    }

    /// The code in the mail to an address, which is sent after the answer.
    private func code(_ fixture: SignInFixture, for email: String = SignInFixture.email) async throws -> String {
        let message = try await mail(fixture, to: email) { $0.contains("Your code is") }
        return String(try #require(message.firstMatch(of: #/Your code is (\d{8})/#)?.output.1))
    }

    private func mail(
        _ fixture: SignInFixture, to email: String, _ isWanted: (String) -> Bool
    ) async throws -> String {
        let outbox = fixture.server.folder.outbox
        while true {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: outbox)) ?? []
            let found = names.compactMap { try? String(contentsOfFile: outbox + "/" + $0, encoding: .utf8) }
                .first { $0.contains("To: \(email)\n") && isWanted($0) }
            if let found { return found }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("The reset code sets a new password, signs in here and signs out everywhere else", .timeLimit(.minutes(5)))
    func newPassword() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { fixture in
            let (elsewhere, visitor) = (WebVisitor(fixture.server), WebVisitor(fixture.server))
            _ = try await elsewhere.open("/auth/signin")
            let fields = ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"]
            _ = try await elsewhere.submit("/auth/signin", fields)
            #expect(try await elsewhere.open("/auth/signin").text.contains("You are signed in"))
            #expect(try await visitor.open("/auth/signin").text.contains("/auth/forgot"))
            _ = try await ask(visitor, SignInFixture.email)
            let code = try await code(fixture)
            let message = try await mail(fixture, to: SignInFixture.email) { $0.contains(code) }
            let link = try #require(message.firstMatch(of: #/http:\/\/localhost(\/auth\/reset\?id=\S+)/#)?.output.1)
            #expect(try await WebVisitor(fixture.server).open(String(link)).text.contains("name=\"code\""))
            let spaced = code.prefix(4) + " " + code.suffix(4)
            let answer = try await visitor.submit(
                "/auth/reset", ["code": String(spaced), "password": Self.password])
            #expect(answer.status == 303)
            #expect(try await visitor.open("/auth/signin").text.contains("You are signed in"))
            #expect(try await !elsewhere.open("/auth/signin").text.contains("You are signed in"))
            let accounts = fixture.server.accounts
            let old = try await accounts.users.find(email: SignInFixture.email, password: SignInFixture.password)
            let new = try await accounts.users.find(email: SignInFixture.email, password: Self.password)
            #expect(old == nil && new != nil)
            _ = try await mail(fixture, to: SignInFixture.email) { $0.contains("Subject: Your password was changed") }
            _ = try await elsewhere.open("/auth/reset?id=x")
            #expect(try await elsewhere.submit("/auth/reset", ["code": code, "password": Self.password]).status == 410)
        }
    }

    @Test(
        "A reset request does not tell whether an account exists, and only an existing one gets mail",
        .timeLimit(.minutes(5)))
    func enumeration() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { fixture in
            let answers = try await ["noor@example.com", SignInFixture.email].asyncMap { email in
                let visitor = WebVisitor(fixture.server)
                let page = try await ask(visitor, email)
                let wrong = try await visitor.submit("/auth/reset", ["code": "1", "password": Self.password])
                return [page, wrong].map { answer in
                    "\(answer.status) \(answer.text)"
                        .replacing(#/(value|name="form" value|id=)="?[A-Za-z0-9_-]{30,}"?/#, with: "")
                }
            }
            #expect(answers[0] == answers[1])
            _ = try await code(fixture)
            let count = try FileManager.default.contentsOfDirectory(atPath: fixture.server.folder.outbox).count
            #expect(count == 1)
        }
    }

    @Test("A disabled account and an unconfirmed account get no reset code", .timeLimit(.minutes(5)))
    func disabledAccounts() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { fixture in
            let accounts = fixture.server.accounts
            _ = try await accounts.users.setDisabled(true, email: SignInFixture.email)
            let reset = try await accounts.passwordResets.begin(email: SignInFixture.email)
            #expect(reset.code == nil)
            let guess = try await accounts.passwordResets.finish(
                id: reset.id, code: "00000000", password: Self.password)
            #expect(guess == .wrong(attemptsLeft: 4))
        }
    }

    @Test("A reset code allows five attempts within half an hour, and a poor password costs no attempt")
    func codeBounds() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { fixture in
            let accounts = fixture.server.accounts
            let visitor = WebVisitor(fixture.server)
            _ = try await ask(visitor, SignInFixture.email)
            let poor = try await visitor.submit("/auth/reset", ["code": "none", "password": "short"])
            #expect(poor.status == 400 && poor.text.contains("at least 8"))
            let statuses = try await (0..<6).asyncMap { _ in
                try await visitor.submit("/auth/reset", ["code": "none", "password": Self.password]).status
            }
            #expect(statuses == [401, 401, 401, 401, 410, 410])
            let reset = try await accounts.passwordResets.begin(email: SignInFixture.email)
            fixture.pass(seconds: 1800)
            let late = try await accounts.passwordResets.finish(
                id: reset.id, code: try #require(reset.code), password: Self.password)
            #expect(late == .gone)
        }
    }

    @Test("An address gets three reset codes in an hour")
    func mailIsBounded() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "http://localhost" }) { fixture in
            let statuses = try await (0..<4).asyncMap { _ in
                let visitor = WebVisitor(fixture.server)
                _ = try await visitor.open("/auth/forgot")
                return try await visitor.submit("/auth/forgot", ["email": SignInFixture.email]).status
            }
            #expect(statuses == [303, 303, 303, 429])
        }
    }

    @Test("Strangers' reset requests do not lock the owner out", .timeLimit(.minutes(5)))
    func strangers() async throws {
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.publicURL = "http://localhost"
            configuration.trustForwardedFor = true
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let ask = { @Sendable (visitor: WebVisitor, address: String) in
                _ = try await visitor.open("/auth/forgot")
                return try await visitor.submit(
                    "/auth/forgot", ["email": SignInFixture.email],
                    headers: [.origin: "http://localhost", forwarded: address]
                ).status
            }
            let statuses = try await (0..<4).asyncMap { _ in try await ask(WebVisitor(fixture.server), "198.51.100.1") }
            #expect(statuses == [303, 303, 303, 429])
            #expect(try await ask(WebVisitor(fixture.server), "203.0.113.1") == 303)
            // However many strangers there are, the address gets so many messages, and a browser it knows its own.
            let flood = try await (0..<40).asyncMap { try await ask(WebVisitor(fixture.server), "198.51.101.\($0)") }
            #expect(flood.count { $0 == 303 } == 26)
            let mei = WebVisitor(fixture.server)
            _ = try await mei.open("/auth/signin")
            let signedIn = try await mei.submit(
                "/auth/signin", ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"],
                headers: [.origin: "http://localhost", forwarded: "203.0.113.2"])
            #expect(signedIn.status == 303)
            mei.setCookie(BrowserSession.cookieName, nil)
            #expect(try await ask(mei, "198.51.100.1") == 303)
        }
    }
}
