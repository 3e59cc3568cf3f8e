@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Testing

struct RegistrationTests {
    private static let open: @Sendable (inout ServerConfiguration) -> Void = {
        $0.registration.isOpen = true
        $0.publicURL = "http://localhost"
    }

    private func register(_ visitor: WebVisitor, _ email: String, password: String = "battery staple") async throws
        -> Answer
    {
        #expect(try await visitor.open("/auth/register").status == 200)
        return try await visitor.submit("/auth/register", ["email": email, "password": password, "givenName": "Noor"])
    }

    /// The messages in the outbox, in any order.
    private func messages(_ fixture: SignInFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.server.folder.outbox).map {
            try String(contentsOfFile: fixture.server.folder.outbox + "/" + $0, encoding: .utf8)
        }
    }

    private func code(_ fixture: SignInFixture, for email: String) throws -> String {
        let message = try #require(try messages(fixture).first { $0.contains("To: \(email)\n") })
        return String(try #require(message.firstMatch(of: #/Your code is (\d{8})/#)?.output.1))
    }

    @Test("Registration is closed by default", arguments: ["/auth/register", "/auth/confirm"])
    func closed(path: String) async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            let page = try await visitor.open("/auth/signin")
            #expect(!page.text.contains("/auth/register"))
            #expect(try await visitor.submit(path, ["email": "noor@example.com", "password": "x"]).status == 404)
            #expect(try await visitor.open(path).status == 404)
        }
    }

    @Test("The confirmation code verifies the address and signs in, once") func confirmation() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let visitor = WebVisitor(fixture.server)
            let answer = try await register(visitor, "noor@example.com")
            let location = try #require(answer.headers[.location])
            let accounts = fixture.server.accounts
            #expect(try await accounts.users.find(email: "noor@example.com")?.emailVerified == false)
            _ = try await visitor.open(location)
            let code = try code(fixture, for: "noor@example.com")
            let spaced = code.prefix(4) + " " + code.suffix(4)
            #expect(try await visitor.submit("/auth/confirm", ["code": String(spaced)]).status == 303)
            #expect(try await accounts.users.find(email: "noor@example.com")?.emailVerified == true)
            #expect(try await visitor.open("/auth/signin").text.contains("You are signed in"))
            #expect(try await visitor.submit("/auth/confirm", ["code": code]).status != 303)
        }
    }

    @Test("An unconfirmed address gets no session, in an app or in a browser")
    func unconfirmed() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await register(visitor, "noor@example.com")
            let link = try await fixture.link(try await fixture.app())
            let fields = ["email": "noor@example.com", "password": "battery staple"]
            let answer = try await fixture.signIn(visitor, link, fields: fields)
            #expect(answer.status == 401)
            #expect(answer.text.contains("Nobody has confirmed this address yet"))
            #expect(Handover(answer.text) == nil)
            #expect(visitor.cookie(BrowserSession.cookieName) == nil)
            _ = try await fixture.server.accounts.users.confirmAddress(email: "noor@example.com")
            #expect(Handover(try await fixture.signIn(visitor, link, fields: fields).text)?.items["ckSession"] != nil)
        }
    }

    @Test("Registration does not tell whether an address has an account") func enumeration() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let answers = try await [SignInFixture.email, "noor@example.com"].asyncMap { email in
                let visitor = WebVisitor(fixture.server)
                let answer = try await register(visitor, email)
                let page = try await visitor.open(try #require(answer.headers[.location]))
                let wrong = try await visitor.submit("/auth/confirm", ["code": "1"])
                return [answer, page, wrong].map { answer in
                    "\(answer.status) \(answer.text) \(answer.headers[.location]?.prefix(17) ?? "")"
                        .replacing(#/(value|name="form" value|id=)="?[A-Za-z0-9_-]{30,}"?/#, with: "")
                }
            }
            #expect(answers[0] == answers[1])
            let messages = try messages(fixture)
            #expect(messages.count == 2)
            #expect(
                messages.contains { $0.contains("To: \(SignInFixture.email)") && $0.contains("There is one already") })
            #expect(
                try await fixture.server.accounts.users.find(
                    email: SignInFixture.email, password: SignInFixture.password)
                    != nil)
        }
    }

    @Test("A confirmation code allows five attempts") func attempts() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open(try #require(try await register(visitor, "noor@example.com").headers[.location]))
            let statuses = try await (0..<6).asyncMap { _ in
                try await visitor.submit("/auth/confirm", ["code": "none"]).status
            }
            #expect(statuses == [401, 401, 401, 401, 410, 410])
            let code = try code(fixture, for: "noor@example.com")
            #expect(try await visitor.submit("/auth/confirm", ["code": code]).status == 410)
        }
    }

    @Test("A confirmation code expires after half an hour") func expiry() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open(try #require(try await register(visitor, "noor@example.com").headers[.location]))
            fixture.pass(seconds: 1800)
            let code = try code(fixture, for: "noor@example.com")
            #expect(try await visitor.submit("/auth/confirm", ["code": code]).status == 410)
        }
    }

    @Test(
        "A registration with a wrong address or password is refused with the reason",
        arguments: [
            ("", "battery staple", "Email is missing"), ("x", "battery staple", "not an email address"),
            ("noor@example.com", "short", "at least 8 characters"),
            ("a@b\nBcc: c@example.com", "battery staple", "not an email address"),
        ])
    func wrongInput(email: String, password: String, message: String) async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let answer = try await register(WebVisitor(fixture.server), email, password: password)
            #expect(answer.status == 400)
            #expect(answer.text.contains(message))
            #expect(!FileManager.default.fileExists(atPath: fixture.server.folder.outbox))
        }
    }

    @Test("An address gets three messages an hour at most") func mailBound() async throws {
        try await SignInFixture.run(configure: Self.open) { fixture in
            let statuses = try await (0..<4).asyncMap { _ in
                try await register(WebVisitor(fixture.server), "noor@example.com").status
            }
            #expect(statuses == [303, 303, 303, 429])
            #expect(try messages(fixture).count == 3)
        }
    }

    @Test("The mail command gets the message on its standard input") func mailCommand() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "mail-\(UUID().uuidString)")
        let script = file.appendingPathExtension("sh")
        try Data("#!/bin/sh\nprintf %s \"$1\" >\(file.path()).to\ncat >\(file.path())\n".utf8).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path())
        defer {
            for path in ["", ".sh", ".to"] { try? FileManager.default.removeItem(atPath: file.path() + path) }
        }
        let configure = { (configuration: inout ServerConfiguration) in
            Self.open(&configuration)
            configuration.registration.mailCommand = "\(script.path())"
            configuration.registration.mailFrom = "cloud@example.com"
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let address = "`touch${IFS}x`@example.com"
            #expect(try await register(WebVisitor(fixture.server), address).status == 303)
            let message = try String(contentsOf: file, encoding: .utf8)
            #expect(message.hasPrefix("From: cloud@example.com\nTo: \(address)\n"))
            #expect(try String(contentsOfFile: file.path() + ".to", encoding: .utf8) == address)
            #expect(!FileManager.default.fileExists(atPath: fixture.server.folder.outbox))
        }
    }
}
