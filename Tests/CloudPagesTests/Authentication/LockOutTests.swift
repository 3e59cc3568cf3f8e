@testable import CloudHTTP
@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Testing

/// Lock-outs after wrong guesses.
struct LockOutTests {
    private static let forwarded = HTTPField.Name("X-Forwarded-For")!

    private static let behindProxy: @Sendable (inout ServerConfiguration) -> Void = {
        $0.trustForwardedFor = true
        $0.guessing.perAddress = 3
    }

    private func guess(
        _ visitor: WebVisitor, password: String = "wrong", email: String = SignInFixture.email,
        from address: String? = nil
    ) async throws -> Int {
        _ = try await visitor.open("/auth/signin?other=1")
        var headers: HTTPFields = [.origin: "http://localhost"]
        headers[Self.forwarded] = address
        return try await visitor.submit(
            "/auth/signin", ["email": email, "password": password, "action": "signin"], headers: headers
        ).status
    }

    @Test("Wrong guesses elsewhere do not lock out a browser that has signed in before")
    func knownBrowser() async throws {
        try await SignInFixture.run { fixture in
            let mei = WebVisitor(fixture.server)
            #expect(try await guess(mei, password: SignInFixture.password) == 303)
            mei.setCookie(BrowserSession.cookieName, nil)
            let stranger = WebVisitor(fixture.server)
            let statuses = try await (0..<11).asyncMap { _ in try await guess(stranger) }
            #expect(statuses == Array(repeating: 401, count: 10) + [429])
            #expect(try await guess(WebVisitor(fixture.server), password: SignInFixture.password) == 429)
            #expect(try await guess(mei) == 401)
            #expect(try await guess(mei, password: SignInFixture.password) == 303)
        }
    }

    @Test("A known browser is not locked out by strangers at its address")
    func sharedAddress() async throws {
        // The compiler sees no throw in a closure whose every one is in a macro.
        try await SignInFixture.run(configure: Self.behindProxy) { (fixture) async throws in
            let (mei, stranger) = (WebVisitor(fixture.server), WebVisitor(fixture.server))
            #expect(try await guess(mei, password: SignInFixture.password, from: "192.0.2.1") == 303)
            mei.setCookie(BrowserSession.cookieName, nil)
            for number in 0..<3 {
                #expect(try await guess(stranger, email: "\(number)@example.com", from: "192.0.2.1") == 401)
            }
            #expect(try await guess(stranger, password: SignInFixture.password, from: "192.0.2.1") == 429)
            #expect(try await guess(mei, password: SignInFixture.password, from: "192.0.2.1") == 303)
        }
    }

    @Test("A known browser that guesses wrong is locked out alone")
    func ownLimit() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 2 }) { (fixture) async throws in
            let (mei, other) = (WebVisitor(fixture.server), WebVisitor(fixture.server))
            for visitor in [mei, other] {
                #expect(try await guess(visitor, password: SignInFixture.password) == 303)
            }
            #expect(try await [guess(mei), guess(mei), guess(mei)] == [401, 401, 429])
            #expect(try await guess(mei, password: SignInFixture.password) == 429)
            #expect(try await guess(other, password: SignInFixture.password) == 303)
            #expect(try await guess(WebVisitor(fixture.server), password: SignInFixture.password) == 303)
        }
    }

    @Test("A device cookie that is forged or of another account has no attempts of its own")
    func otherCookies() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 1 }) { fixture in
            let eve = WebVisitor(fixture.server)
            _ = try await fixture.server.accounts.users.create(email: "eve@example.com")
            _ = try await fixture.server.accounts.users.setPassword("battery staple", email: "eve@example.com")
            #expect(try await guess(eve, password: "battery staple", email: "eve@example.com") == 303)
            let cookie = try #require(eve.cookie("cumulus_device"))
            #expect(try await guess(WebVisitor(fixture.server)) == 401)
            for forged in [cookie, String(cookie.dropLast()) + "A", "a.b", String(repeating: "~", count: 2000), ""] {
                let visitor = WebVisitor(fixture.server)
                visitor.setCookie("cumulus_device", forged)
                #expect(try await guess(visitor) == 429, "\(forged)")
            }
        }
    }

    @Test("One browser is known to several accounts")
    func familyBrowser() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 1 }) { fixture in
            let visitor = WebVisitor(fixture.server)
            let emails = ["a@example.com", "b@example.com", "c@example.com"]
            for email in emails {
                _ = try await fixture.server.accounts.users.create(email: email)
                _ = try await fixture.server.accounts.users.setPassword("battery staple", email: email)
                #expect(try await guess(visitor, password: "battery staple", email: email) == 303)
            }
            for email in emails {
                #expect(try await guess(WebVisitor(fixture.server), email: email) == 401)
                #expect(try await guess(WebVisitor(fixture.server), email: email) == 429)
                #expect(try await guess(visitor, password: "battery staple", email: email) == 303)
            }
        }
    }

    @Test("300 guesses from 300 addresses lock out no known browser", .timeLimit(.minutes(5)))
    func flood() async throws {
        try await SignInFixture.run(configure: { $0.trustForwardedFor = true }) { (fixture) async throws in
            let mei = WebVisitor(fixture.server)
            #expect(try await guess(mei, password: SignInFixture.password, from: "203.0.113.1") == 303)
            mei.setCookie(BrowserSession.cookieName, nil)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        try await guess(
                            WebVisitor(fixture.server), email: "\(number)@example.com",
                            from: "198.51.\(100 + number / 200).\(number % 200)")
                    }
                }
                let known = try await guess(mei, password: SignInFixture.password, from: "203.0.113.1")
                let other = try await guess(
                    WebVisitor(fixture.server), password: SignInFixture.password, from: "203.0.113.2")
                #expect(known == 303 && other == 303)
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(statuses) == [401], "\(Set(statuses))")
        }
    }

    @Test("First attempts at one account from fifty addresses lock out neither it, other accounts nor /health")
    func firstAttempts() async throws {
        try await SignInFixture.run(configure: { $0.trustForwardedFor = true }) { (fixture) async throws in
            _ = try await fixture.server.accounts.users.create(email: "eve@example.com")
            _ = try await fixture.server.accounts.users.setPassword("battery staple", email: "eve@example.com")
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    group.addTask { try await guess(WebVisitor(fixture.server), from: "198.51.100.\(number)") }
                }
                for _ in 0..<5 { #expect(try await fixture.server.send(.get, "/health").status == 200) }
                let other = try await guess(
                    WebVisitor(fixture.server), password: "battery staple", email: "eve@example.com",
                    from: "203.0.113.2")
                #expect(other == 303)
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Ten by the account's own attempts, then the first one of each network.
            #expect(Set(statuses) == [401], "\(statuses)")
            #expect(
                try await guess(WebVisitor(fixture.server), password: SignInFixture.password, from: "203.0.113.1")
                    == 303)
        }
    }

    @Test("Strangers who use up an account's attempts do not lock its owner out on a new browser")
    func strangers() async throws {
        try await SignInFixture.run(configure: { $0.trustForwardedFor = true }) { (fixture) async throws in
            let stranger = WebVisitor(fixture.server)
            let guesses = try await (0..<11).asyncMap { _ in try await guess(stranger, from: "198.51.100.1") }
            #expect(guesses == Array(repeating: 401, count: 10) + [429])
            // Another network has one attempt, not ten.
            #expect(try await guess(stranger, from: "198.51.100.2") == 401)
            #expect(try await guess(stranger, from: "198.51.100.2") == 429)
            #expect(
                try await guess(WebVisitor(fixture.server), password: SignInFixture.password, from: "203.0.113.9")
                    == 303)
        }
    }

    @Test("Sign-in, management tokens, page passwords and registration have separate counters")
    func separateCounters() async throws {
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            Self.behindProxy(&configuration)
            configuration.registration.isOpen = true
            configuration.publicURL = "http://localhost"
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let guesser = Operator(server: fixture.server, container: "c", token: "cm_guess")
            let tokens = try await (0..<4).asyncMap { _ in
                try await guesser.send(.get, "schema", headers: [Self.forwarded: "192.0.2.1"]).status
            }
            #expect(tokens == [401, 401, 401, 429])
            let visitor = WebVisitor(fixture.server)
            let signIns = try await (0..<4).asyncMap { number in
                try await guess(visitor, email: "\(number)@example.com", from: "192.0.2.1")
            }
            #expect(signIns == [401, 401, 401, 429])
            _ = try await visitor.open("/auth/register")
            let registered = try await visitor.submit(
                "/auth/register", ["email": "noor@example.com", "password": "battery staple"],
                headers: [.origin: "http://localhost", Self.forwarded: "192.0.2.1"])
            #expect(registered.status == 303)
            #expect(try await guess(visitor, password: SignInFixture.password, from: "192.0.2.2") == 303)
        }
    }
}
