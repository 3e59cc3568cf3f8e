@testable import CloudServer
import CloudEngine
import CloudWire
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

struct HostileSignInTests {
    /// Space around an address finds the same account, so it must not be another one to the counter.
    @Test("Blanks and letter case in an address do not give more guesses at its account")
    func accountSpellings() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin")
            var statuses: [Int] = []
            for guess in 0..<11 {
                let email =
                    String(repeating: " ", count: guess) + SignInFixture.email.uppercased() + "\t\n".prefix(guess % 3)
                statuses.append(
                    try await visitor.submit(
                        "/auth/signin", ["email": email, "password": "wrong", "action": "signin"]
                    ).status)
            }
            #expect(statuses.dropLast().allSatisfy { $0 == 401 }, "\(statuses)")
            #expect(statuses.last == 429)
        }
    }

    private func registered(
        _ fixture: SignInFixture
    ) async throws -> (answer: Answer, messages: [String]) {
        let visitor = WebVisitor(fixture.server)
        _ = try await visitor.open("/auth/register")
        let answer = try await visitor.submit(
            "/auth/register", ["email": "noor@example.com", "password": "battery staple"],
            headers: [.origin: fixture.origin])
        let outbox = fixture.server.folder.outbox
        let files = (try? FileManager.default.contentsOfDirectory(atPath: outbox)) ?? []
        return (answer, try files.map { try String(contentsOfFile: "\(outbox)/\($0)", encoding: .utf8) })
    }

    /// The host of a request is whatever its sender says, and a message goes to somebody else.
    @Test("A mailed message names the configured public URL, never the request's host")
    func publicURL() async throws {
        try await SignInFixture.run(configure: { $0.registration.isOpen = true }) { fixture in
            let (answer, messages) = try await registered(fixture)
            #expect(answer.status == 503 && answer.text.contains("publicUrl"), "\(answer.text)")
            #expect(messages.isEmpty)
        }
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.registration.isOpen = true
            configuration.publicURL = "https://cloud.example.com"
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let (_, messages) = try await registered(fixture.at("https://cloud.example.com"))
            #expect(messages.count == 1)
            let link = "where you asked for the account:\nhttps://cloud.example.com/auth/confirm\n"
            #expect(messages.first?.contains(link) == true)
            #expect(messages.first?.contains("From: no-reply@cloud.example.com\n") == true)
        }
    }

    @Test("A mail command that fails is answered 503, and the page says so", arguments: ["false", "no-such-program"])
    func failedMail(command: String) async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.registration.isOpen = true
            configuration.registration.mailCommand = command
            configuration.publicURL = "http://localhost"
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let (answer, _) = try await registered(fixture)
            #expect(answer.status == 503)
            #expect(answer.text.contains("could not be sent"))
        }
    }

    /// Without a public URL only the browser tells that TLS was taken off on the way.
    @Test("A sign-in over https sets a Secure cookie", arguments: ["https://localhost", "http://localhost"])
    func secureCookie(origin: String) async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin")
            let answer = try await visitor.submit(
                "/auth/signin",
                ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"],
                headers: [.origin: origin])
            #expect(answer.status == 303)
            let cookie = try #require(answer.headers[values: .setCookie].first { $0.contains("cumulus_session=") })
            #expect(cookie.contains("Secure") == origin.hasPrefix("https"))
            #expect(cookie.hasPrefix("__Host-") == origin.hasPrefix("https"))
            #expect(cookie.contains("HttpOnly"))
        }
    }
}
