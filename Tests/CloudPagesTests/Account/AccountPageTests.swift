import CloudAccounts
import CloudWire
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

@Suite("A person's account page")
struct AccountPageTests {
    private static let password = "battery staple"

    private func signedIn(_ fixture: SignInFixture, password: String = SignInFixture.password) async throws
        -> WebVisitor
    {
        let visitor = WebVisitor(fixture.server)
        _ = try await visitor.open("/auth/signin?return=/account")
        let answer = try await visitor.submit(
            "/auth/signin", ["email": SignInFixture.email, "password": password, "action": "signin"])
        #expect(answer.headers[.location] == "/account")
        return visitor
    }

    @Test("A visitor without a session is sent to the sign-in page", arguments: ["/account", "/account/delete"])
    func anonymous(path: String) async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            let shown = try await visitor.open(path)
            #expect(shown.status == 303 && shown.headers[.location]?.hasPrefix("/auth/signin?return=") == true)
            _ = try await visitor.open("/auth/signin")
            let sent = try await visitor.submit(path, ["do": "endOthers"])
            #expect(sent.status == 303 && sent.headers[.location]?.hasPrefix("/auth/signin?return=") == true)
        }
    }

    @Test("A person's name can be changed and removed, and is shown escaped")
    func names() async throws {
        try await SignInFixture.run { fixture in
            let visitor = try await signedIn(fixture)
            let page = try await visitor.open("/account")
            #expect(page.status == 200 && page.text.contains("&lt;Chen&gt;") && !page.text.contains("<Chen>"))
            let changed = ["do": "name", "givenName": "Mei-Lin", "familyName": " "]
            #expect(try await visitor.submit("/account", changed).status == 303)
            let account = try await fixture.server.accounts.users.find(email: SignInFixture.email)
            #expect(account?.givenName == "Mei-Lin" && account?.familyName == nil)
            _ = try await visitor.open("/account")
            let long = ["do": "name", "givenName": String(repeating: "a", count: 101)]
            let refused = try await visitor.submit("/account", long)
            #expect(refused.status == 400 && refused.text.contains("longer than 100 bytes"))
        }
    }

    @Test("A new password requires the old one, and ends all other sessions")
    func passwords() async throws {
        try await SignInFixture.run { fixture in
            let (visitor, elsewhere) = (try await signedIn(fixture), try await signedIn(fixture))
            _ = try await visitor.open("/account")
            let wrong = ["do": "password", "current": "no", "password": Self.password]
            let refused = try await visitor.submit("/account", wrong)
            #expect(refused.status == 401 && refused.text.contains("Wrong password. Enter the one that you have now."))
            let poor = ["do": "password", "current": SignInFixture.password, "password": "short"]
            #expect(try await visitor.submit("/account", poor).status == 400)
            #expect(try await elsewhere.open("/account").status == 200)
            let right = ["do": "password", "current": SignInFixture.password, "password": Self.password]
            #expect(try await visitor.submit("/account", right).status == 303)
            #expect(try await visitor.open("/account").status == 200)
            #expect(try await elsewhere.open("/account").status == 303)
            _ = try await signedIn(fixture, password: Self.password)
        }
    }

    @Test("Guesses at the old password are counted")
    func guesses() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 3 }) { fixture in
            let visitor = try await signedIn(fixture)
            _ = try await visitor.open("/account")
            let wrong = ["do": "password", "current": "no", "password": Self.password]
            let statuses = try await (0..<4).asyncMap { _ in try await visitor.submit("/account", wrong).status }
            #expect(statuses == [401, 401, 401, 429])
        }
    }

    @Test("A person ends one session or all of them, and no other person's session")
    func sessions() async throws {
        try await SignInFixture.run { fixture in
            let accounts = fixture.server.accounts
            let other = try await accounts.users.create(email: "bo@example.com")
            _ = try await accounts.browserLogins.create(account: other, persistent: false)
            let foreign = try #require(try await accounts.sessions.list(email: "bo@example.com").first)
            let (visitor, second, third) = (
                try await signedIn(fixture), try await signedIn(fixture), try await signedIn(fixture)
            )
            let page = try await visitor.open("/account")
            let ids = page.text.matches(of: #/name="session" value="([^"]*)"/#).map { String($0.output.1) }
            #expect(ids.count == 2 && page.text.contains("this one"))
            #expect(try await visitor.submit("/account", ["do": "end", "session": foreign.id]).status == 303)
            #expect(try await accounts.sessions.list(email: "bo@example.com").count == 1)
            #expect(try await visitor.submit("/account", ["do": "end", "session": ids[0]]).status == 303)
            let left = try await [second, third].asyncMap { try await $0.open("/account").status }
            #expect(left.sorted() == [200, 303])
            _ = try await visitor.open("/account")
            #expect(try await visitor.submit("/account", ["do": "endOthers"]).status == 303)
            #expect(try await visitor.open("/account").status == 200)
            #expect(try await accounts.sessions.list(email: SignInFixture.email).count == 1)
        }
    }

    @Test("A session is named by its browser, or by its app where a page rule names one")
    func sessionNames() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin?return=/account&lang=de")
            let agent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1"
            _ = try await visitor.submit(
                "/auth/signin",
                ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"],
                headers: [.origin: "http://localhost", .userAgent: agent])
            let accounts = fixture.server.accounts
            let account = try #require(try await accounts.users.find(email: SignInFixture.email))
            _ = try await accounts.browserLogins.create(account: account, persistent: false)
            let container = "iCloud.com.example.named"
            let made = try await accounts.containers.create(name: container)
            _ = try await accounts.sessions.create(
                email: SignInFixture.email, container: made, environment: .production)
            let page = try await visitor.open("/account").text
            for name in ["Safari auf iPhone", "Ein Browser", container] {
                #expect(page.contains("<b>\(name)</b>"), "\(name)")
            }
            let rule = #"{"recordType": "T", "title": "x", "app": {"name": "Tr<ips"}}"#
            try await accounts.pageRules.set(try PageRule(try JSONParser.parse(Array(rule.utf8))), container: container)
            #expect(
                try await visitor.open("/account").text.contains("<b>Tr&lt;ips</b> (\(container), production)"))
        }
    }

    @Test(
        "Data is listed by the name of its app, where page rules name one", arguments: ["/account", "/account/delete"])
    func appNames(path: String) async throws {
        try await TripFixture.run { trip in
            try await trip.sender.makeZone("Z")
            try await trip.sender.save(zone: "Z", "a", type: "Note", fields: #""title": {"value": "mine"}"#)
            let visitor = try await trip.browser(of: "mei@example.com")
            let page = try await visitor.open(path).text
            #expect(page.contains(#"<b dir="auto">Trips</b> <span class="soft">development</span>"#))
            #expect(!page.contains("<b dir=\"auto\">\(TripFixture.container)"))
            try await trip.server.accounts.pageRules.remove(
                recordType: "SharedVacation", container: TripFixture.container)
            #expect(try await visitor.open(path).text.contains("<b dir=\"auto\">\(TripFixture.container)</b>"))
        }
    }

    @Test("An account is deleted with its data once the password is given")
    func deletion() async throws {
        try await SignInFixture.run { fixture in
            let visitor = try await signedIn(fixture)
            let page = try await visitor.open("/account/delete")
            #expect(page.status == 200 && page.text.contains(SignInFixture.email))
            #expect(try await visitor.submit("/account/delete", ["password": "no"]).status == 401)
            let accounts = fixture.server.accounts
            #expect(try await accounts.users.find(email: SignInFixture.email) != nil)
            let gone = try await visitor.submit("/account/delete", ["password": SignInFixture.password])
            #expect(gone.status == 200 && gone.text.contains("is gone"))
            #expect(try await accounts.users.find(email: SignInFixture.email) == nil)
            #expect(try await visitor.open("/account").status == 303)
        }
    }

    @Test("A form of another site changes nothing")
    func foreignForms() async throws {
        try await SignInFixture.run { fixture in
            let visitor = try await signedIn(fixture)
            _ = try await visitor.open("/account")
            for path in ["/account", "/account/delete", "/account/download"] {
                let fields = ["do": "endOthers", "password": SignInFixture.password]
                let sent = try await visitor.submit(path, fields, headers: [.origin: "https://evil.example"])
                #expect(sent.status == 403)
            }
            #expect(try await visitor.open("/account").status == 200)
            #expect(try await visitor.submit("/account", ["do": "nothing"]).status == 400)
        }
    }
}
