@testable import CloudHTTP
@testable import CloudConsole
import CloudAccounts
import CloudWire
import CloudServer
import TestCloud
import CloudModel
import Foundation
import Testing

/// Sign-ins to the console of a server for everybody, and how long they last.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleSignInTests {
    @Test("An operator sets up an authenticator app and signs in with its code") func enrolment() async throws {
        let log = LogBook()
        try await ConsoleOperator.run(log: log) { ines in
            let way = try await ines.visitor.open("/console/data?type=Note")
            #expect(way.status == 303)
            #expect(way.headers[.location] == "/console/signin?return=%2Fconsole%2Fdata%3Ftype%3DNote")
            let codes = try await ines.enrol()
            #expect(codes.status == 200 && codes.text.matches(of: #/<li>[A-Z2-7]{4}(-[A-Z2-7]{4}){3}</#).count == 10)
            let cookie = try #require(codes.headers[.setCookie])
            for part in ["HttpOnly", "SameSite=Strict", "Path=/console"] { #expect(cookie.contains(part), "\(cookie)") }
            let page = try await ines.visitor.open("/console")
            #expect(page.status == 200 && page.text.contains("ines@example.com, owner"))
            #expect(page.headers[.policy.contentSecurity]?.contains("frame-ancestors 'none'") == true)
            let lines = try await ines.server.accounts.audit.entries(limit: 10).map { "\($0.who): \($0.action)" }
            #expect(
                lines.contains(
                    "operator ines@example.com: set up a second factor and signed in to the console"), "\(lines)")
        }
        #expect(log.lines(with: "operator signed in").count == 1)
    }

    @Test("Without a sign-in the console shows and changes nothing") func signedOut() async throws {
        try await ConsoleOperator.run { ines in
            for path in ConsoleTests.paths {
                let answer = try await ines.server.send(.get, path)
                #expect(answer.status == 303 && answer.headers[.location]?.hasPrefix("/console/signin?") == true)
            }
            #expect(try await ines.givePassword().status == 303)
            // The password alone opens nothing.
            #expect(try await ines.visitor.open("/console/people").status == 303)
            let change = try await ines.visitor.submit(
                "/console/person", ["email": ConsoleOperator.email, "do": "disable"])
            #expect(change.status == 401)
        }
    }

    @Test("A wrong password, an unknown address and a person without a role get the same answer")
    func sameAnswer() async throws {
        let log = LogBook()
        try await ConsoleOperator.run(log: log) { ines in
            _ = try await ines.server.accounts.users.create(email: "mei@example.com")
            _ = try await ines.server.accounts.users.setPassword("another long word", email: "mei@example.com")
            var pages: Set<String> = []
            for (email, password) in [
                (ConsoleOperator.email, "wrong"), ("nobody@example.com", "wrong"),
                ("mei@example.com", "wrong"), ("mei@example.com", "another long word"),
            ] {
                let answer = try await ConsoleOperator(ines.server).givePassword(password, email: email)
                #expect(answer.status == 401 && answer.text.contains("Wrong email address or password."))
                pages.insert(
                    answer.text.replacing(email, with: "").replacing(#/name="form" value="[^"]*"/#, with: ""))
            }
            #expect(pages.count == 1)
        }
        #expect(log.lines(with: "sign-in failed").count == 4)
    }

    @Test("A one-time code is accepted once, within half a minute of drift") func codeReuse() async throws {
        let (clock, log) = (TestClock(), LogBook())
        try await ConsoleOperator.run(clock: clock, log: log) { ines in
            try await ines.enrol()
            let used = ines.code()
            clock.advance(.seconds(60))
            #expect(try await ines.givePassword().status == 303)
            let wrong = [used, ines.code(-2), ines.code(2), "", "123", "12345678"]
            for code in wrong where ![-1, 0, 1].map({ ines.code($0) }).contains(code) {
                #expect(try await ines.giveCode(code).status == 401, "\(code)")
            }
            #expect(try await ines.giveCode(ines.code(1)).status == 303)
            // Neither that one again, nor one from before it.
            for code in [ines.code(1), ines.code(), ines.code(-1)] {
                #expect(try await ines.givePassword().status == 303)
                #expect(try await ines.giveCode(code).status == 401)
            }
        }
        #expect(!log.lines(with: "wrong console code").isEmpty)
    }

    @Test("A recovery code is good for one sign-in") func recoveryCode() async throws {
        try await ConsoleOperator.run { ines in
            let page = try await ines.enrol().text
            let code = try #require(page.firstMatch(of: #/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/#)).output.0
            #expect(try await ines.givePassword().status == 303)
            #expect(try await ines.giveCode(code.lowercased()).status == 303)
            #expect(try await ines.givePassword().status == 303)
            #expect(try await ines.giveCode(String(code)).status == 401)
        }
    }

    @Test("After too many wrong codes or passwords the operator has to wait") func guesses() async throws {
        try await ConsoleOperator.run(configure: { $0.guessing.perAccount = 3 }) { ines in
            try await ines.enrol()
            #expect(try await ines.givePassword().status == 303)
            for status in [401, 401, 401, 429] {
                #expect(try await ines.giveCode("abc").status == status)
            }
            #expect(try await ines.giveCode(ines.code(1)).status == 429)
            let stranger = ConsoleOperator(ines.server)
            for status in [401, 401, 401, 429] {
                #expect(try await stranger.givePassword("wrong").status == status)
            }
        }
    }

    @Test("A console session ends by signing out, another role, or a disabled account")
    func sessionEnd() async throws {
        let ends: [@Sendable (ConsoleOperator) async throws -> Void] = [
            { _ = try await $0.visitor.submit("/console/signout", [:]) },
            { _ = try await $0.server.accounts.operators.setRole(.viewer, email: ConsoleOperator.email) },
            { _ = try await $0.server.accounts.users.setDisabled(true, email: ConsoleOperator.email) },
            { _ = try await $0.server.accounts.users.setPassword("yet another word", email: ConsoleOperator.email) },
            { try await $0.server.accounts.operators.remove(email: ConsoleOperator.email) },
        ]
        for end in ends {
            try await ConsoleOperator.run { ines in
                // The last owner stays.
                _ = try await ines.server.accounts.users.create(email: "second@example.com")
                _ = try await ines.server.accounts.operators.add(email: "second@example.com", role: .owner)
                try await ines.enrol()
                let stolen = try #require(ines.visitor.cookie("cumulus_console"))
                #expect(try await ines.visitor.open("/console").status == 200)
                try await end(ines)
                ines.visitor.setCookie("cumulus_console", stolen)
                #expect(try await ines.visitor.open("/console").status == 303)
            }
        }
    }

    @Test("A console session ends after 30 minutes without use, and after 12 hours") func sessionExpiry() async throws {
        let clock = TestClock()
        try await ConsoleOperator.run(clock: clock) { ines in
            try await ines.enrol()
            for _ in 0..<24 {
                clock.advance(.seconds(29 * 60))
                #expect(try await ines.visitor.open("/console/settings").status == 200)
            }
            clock.advance(.seconds(25 * 60))
            #expect(try await ines.visitor.open("/console/settings").status == 303)
            #expect(try await ines.givePassword().status == 303)
            #expect(try await ines.giveCode(ines.code()).status == 303)
            clock.advance(.seconds(31 * 60))
            #expect(try await ines.visitor.open("/console/settings").status == 303)
        }
    }

    @Test("A console form sent from another site is refused") func otherSites() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            _ = try await ines.visitor.open("/console/person?email=ines@example.com")
            let foreign = try await ines.visitor.submit(
                "/console/person", ["email": ConsoleOperator.email, "do": "disable"],
                headers: [.origin: "https://evil.example"])
            #expect(foreign.status == 403)
            #expect(try await ines.server.accounts.users.find(email: ConsoleOperator.email)?.disabled == false)
        }
    }

    @Test("Every console form is refused from another site, without its token and with another browser's token")
    func guardedForms() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            let stranger = WebVisitor(ines.server)
            let token = { (page: Answer) in page.text.firstMatch(of: #/name="form" value="([^"]*)"/#)?.output.1 }
            let theirs = String(try #require(token(try await stranger.open("/console/signin"))))
            _ = try await ines.visitor.open("/console/people")
            for (pattern, endpoints) in ConsoleRoutes.table
            where endpoints[.post] != nil && pattern != "/console/{path}" {
                for origin in ["https://evil.example", "null", "http://localhost:1"] {
                    let answer = try await ines.visitor.submit(pattern, [:], headers: [.origin: origin])
                    #expect(answer.status == 403, "\(pattern) from \(origin)")
                }
                for form in ["", theirs] {
                    let answer = try await ines.visitor.submit(pattern, ["form": form])
                    #expect(answer.status == 403, "\(pattern) with '\(form)'")
                }
            }
            #expect(try await ines.visitor.open("/console").status == 200)
        }
    }

    @Test("No console page, sign-in included, may be framed by another page")
    func frames() async throws {
        let options = try #require(HTTPField.Name("X-Frame-Options"))
        try await ConsoleOperator.run { ines in
            func look() async throws {
                for (pattern, endpoints) in ConsoleRoutes.table where endpoints[.get] != nil {
                    let answer = try await ines.visitor.open(pattern)
                    guard answer.status != 303 else { continue }
                    #expect(answer.headers[options] == "DENY", "\(pattern)")
                    let policy = answer.headers[.policy.contentSecurity] ?? ""
                    #expect(policy.contains("frame-ancestors 'none'"), "\(pattern): \(policy)")
                }
            }
            try await look()
            try await ines.enrol()
            try await look()
        }
    }

    @Test("The return address after a sign-in stays within the console") func returnAddress() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            for path in ["https://evil.example", "//evil.example", "/share/x", "/consolex"] {
                let text = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                #expect(try await ines.visitor.open("/console/signin?return=\(text)").headers[.location] == "/console")
            }
        }
    }
}
