@testable import CloudHTTP
@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Logging
import Testing

/// Lines for operators at the default log level, and secrets that are in none.
struct SecurityLogTests {
    private static let forwarded = HTTPField.Name("X-Forwarded-For")!
    private static let keyID = HTTPField.Name("X-Apple-CloudKit-Request-KeyID")!

    private static let behindProxy: @Sendable (inout ServerConfiguration) -> Void = {
        $0.trustForwardedFor = true
        $0.registration.isOpen = true
        $0.publicURL = "http://localhost"
        $0.guessing.perAccount = 2
    }

    private func signIn(
        _ fixture: SignInFixture, _ email: String, _ password: String, from address: String = "192.0.2.1"
    ) async throws -> Int {
        let visitor = WebVisitor(fixture.server)
        _ = try await visitor.open("/auth/signin")
        return try await visitor.submit(
            "/auth/signin", ["email": email, "password": password, "action": "signin"],
            headers: [.origin: "http://localhost", Self.forwarded: address]
        ).status
    }

    @Test("A failed sign-in and a lock-out name the account and the address")
    func failedSignIns() async throws {
        let book = LogBook()
        try await SignInFixture.run(configure: Self.behindProxy, logger: book.logger()) { (fixture) async throws in
            for status in [401, 401, 429] {
                #expect(try await signIn(fixture, "MEI@example.com", "a planted guess") == status)
            }
            // Somebody who typed a password in the wrong place.
            #expect(try await signIn(fixture, "a planted password", "x", from: "2001:db8::7") == 401)
            #expect(try await signIn(fixture, SignInFixture.email, SignInFixture.password) == 429)
        }
        let failed = book.lines(with: "sign-in failed")
        #expect(failed.count == 3, "\(book.lines)")
        #expect(failed.filter { $0.contains("account=mei@example.com address=192.0.2.1 log=security") }.count == 2)
        #expect(failed.last?.contains("account=unknown address=2001:db8:0:0") == true)
        let locked = book.lines(with: "locked out")
        #expect(locked.count == 2)
        #expect(locked.allSatisfy { $0.hasPrefix("warning") && $0.contains("what=sign-in") })
        #expect(locked.allSatisfy { $0.contains("account=mei@example.com address=192.0.2.1 counter=account") })
        #expect(book.lines(with: "planted").isEmpty)
    }

    @Test("Wrong tokens, signatures, page passwords and codes are logged with the address")
    func wrongCredentials() async throws {
        let book = LogBook()
        try await SignInFixture.run(configure: Self.behindProxy, logger: book.logger()) { fixture in
            let server = fixture.server
            let from: HTTPFields = [Self.forwarded: "192.0.2.1"]
            let guesser = Operator(server: server, container: "c", token: "cm_planted")
            #expect(try await guesser.send(.get, "schema", headers: from).status == 401)
            var app = server.app("c", environment: "production")
            app.apiToken = "planted"
            #expect(try await app.post("public/zones/list", "", headers: from).status == 401)
            app.apiToken = nil
            #expect(try await app.post("public/zones/list", "", headers: from).status == 401)
            let signed: HTTPFields = [Self.forwarded: "192.0.2.1", Self.keyID: "planted"]
            #expect(try await app.post("public/zones/list", "", headers: signed).status == 401)
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/auth/register")
            _ = try await visitor.submit("/auth/register", ["email": "noor@example.com", "password": "planted horse"])
            _ = try await visitor.submit("/auth/confirm", ["code": "planted"])
        }
        for text in ["wrong management token", "wrong API token", "wrong server-to-server signature"] {
            let lines = book.lines(with: text)
            #expect(lines.count == 1, "\(text): \(book.lines)")
            #expect(lines.first?.contains("address=192.0.2.1 container=c log=security") == true)
        }
        #expect(book.lines(with: "planted").isEmpty, "\(book.lines(with: "planted"))")
    }

    @Test("A wrong page password is logged without the page's id")
    func pagePasswords() async throws {
        let book = LogBook()
        try await TripFixture.run(logger: book.logger()) { trip in
            _ = try await trip.settle(#"{"password": "planted fado"}"#)
            let visitor = WebVisitor(trip.server)
            #expect(try await visitor.submit("\(trip.path)/password", ["password": "planted"]).status == 403)
            #expect(try await visitor.submit("\(trip.path)/password", ["password": "planted fado"]).status == 303)
        }
        let lines = book.lines(with: "wrong page password")
        #expect(lines.count == 1)
        #expect(lines.first?.contains("container=\(TripFixture.container)") == true)
        #expect(!book.lines.contains { $0.contains("planted") || $0.contains(TripFixture.id) })
    }

    @Test("An admin change is logged with its author and content, and a dry run is not logged")
    func adminChanges() async throws {
        let book = LogBook()
        try await TestServer.run(logger: book.logger()) { server in
            let program = try await server.makeOperator("c")
            _ = try await server.accounts.users.create(email: "mei@example.com")
            try await program.importing("CREATE ROLE editor;", dryRun: true)
            #expect(try await program.send(.get, "schema").status == 200)
            #expect(book.lines(with: "admin change").isEmpty)
            #expect(try await program.importing("CREATE ROLE editor;").status == 200)
            #expect(try await program.send(.put, "roles/editor/mei%40example.com?dryRun=true").status == 200)
            #expect(try await program.send(.put, "roles/nobody%0Aelse/mei%40example.com").status == 404)
            #expect(book.lines(with: program.token ?? "").isEmpty)
        }
        let lines = book.lines(with: "admin change")
        #expect(lines.count == 2, "\(lines)")
        #expect(lines.allSatisfy { $0.contains("by=management token 1 (test)") && $0.contains("container=c") })
        #expect(lines.first?.contains("change=PUT schema") == true)
        #expect(lines.last?.contains("about=editor mei@example.com") == true)
        #expect(lines.last?.contains("change=PUT roles/{role}/{user}") == true)
    }

    @Test("A flood of wrong tokens writes a bounded number of lines and their omitted count")
    func floods() async throws {
        let book = LogBook()
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.trustForwardedFor = true
        }
        try await SignInFixture.run(configure: configure, logger: book.logger()) { fixture in
            var app = fixture.server.app("c\u{2028}\u{1B}[2J", environment: "production")
            app.container = "c%0Awarning forged line"
            app.apiToken = "x"
            for _ in 0..<100 {
                _ = try await app.post("public/zones/list", "", headers: [Self.forwarded: "192.0.2.1"])
            }
            #expect(book.lines(with: "wrong API token").count == 20)
            _ = try await app.post("public/zones/list", "", headers: [Self.forwarded: "192.0.2.2"])
        }
        #expect(book.lines(with: "wrong API token").last?.contains("leftOut=80") == true)
        #expect(!book.lines.contains { $0.contains("\n") })
    }

    @Test("An untrusted proxy header is warned of once an hour")
    func untrustedHeader() async throws {
        let book = LogBook()
        try await SignInFixture.run(logger: book.logger()) { fixture in
            for _ in 0..<3 {
                _ = try await fixture.server.send(.get, "/health", headers: [Self.forwarded: "192.0.2.1"])
            }
            #expect(book.lines(with: "trustForwardedFor").count == 1)
            fixture.pass(seconds: 3600)
            _ = try await fixture.server.send(.get, "/health", headers: [Self.forwarded: "192.0.2.1"])
            #expect(book.lines(with: "trustForwardedFor").count == 2)
            #expect(book.lines(with: "warning").count == 2)
        }
        let quiet = LogBook()
        try await SignInFixture.run(configure: { $0.trustForwardedFor = true }, logger: quiet.logger()) { fixture in
            _ = try await fixture.server.send(.get, "/health", headers: [Self.forwarded: "192.0.2.1"])
        }
        #expect(quiet.lines(with: "trustForwardedFor").isEmpty)
    }

    @Test("At debug level no secret of a sign-in reaches the log")
    func debugLevel() async throws {
        let book = LogBook()
        let configure = { @Sendable (configuration: inout ServerConfiguration) in
            configuration.registration.isOpen = true
            configuration.publicURL = "http://localhost"
        }
        try await SignInFixture.run(configure: configure, logger: book.logger(.trace)) { fixture in
            let server = fixture.server
            var app = try await fixture.app()
            let visitor = WebVisitor(server)
            let link = try await fixture.link(app)
            let answer = try await fixture.signIn(visitor, link)
            let token = try #require(Handover(answer.text)?.items["ckSession"])
            app.token = token
            #expect(try await app.get("private/zones/list").status == 200)
            let program = try await server.makeOperator("c")
            #expect(try await program.send(.get, "schema").status == 200)
            let request = try #require(link.split(separator: "=").last)
            let cookies = [BrowserSession.cookieName, "cumulus_device", "cumulus_form"].compactMap(visitor.cookie)
            #expect(cookies.count == 3)
            let secrets =
                [SignInFixture.password, token, App.encoded(token), app.apiToken, program.token, String(request)]
                + cookies
            for secret in secrets.compactMap(\.self) {
                #expect(!book.lines.contains { $0.contains(secret) }, "\(secret)")
            }
            #expect(!book.lines.isEmpty)
        }
    }
}
