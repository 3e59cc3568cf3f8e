@testable import CloudHTTP
@testable import CloudPages
@testable import CloudServer
import CloudAccounts
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Testing

struct SignInTests {
    @Test("The window that opened the page gets the token as ckWebAuthToken and ckSession")
    func opener() async throws {
        try await SignInFixture.run { fixture in
            var app = try await fixture.app(origins: ["https://app.example"])
            let answer = try await fixture.signIn(WebVisitor(fixture.server), try await fixture.link(app))
            let handover = try #require(Handover(answer.text))
            #expect(handover.origin == "https://app.example")
            #expect(handover.items["ckWebAuthToken"] == handover.items["ckSession"])
            #expect(answer.text.contains(" data-closes"))
            #expect(answer.headers[try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))] == nil)
            app.token = handover.items["ckSession"]
            let caller = try await fixture.server.send(
                .get, app.target("public/users/caller"), headers: [.origin: "https://app.example"])
            #expect(caller["emailAddress"]?.string == SignInFixture.email)
        }
    }

    @Test("The page names the app that it signs in to, where page rules name one") func appName() async throws {
        try await SignInFixture.run { fixture in
            let app = try await fixture.app(origins: ["https://app.example"])
            let link = try await fixture.link(app)
            let rule = #"{"recordType": "T", "title": "x", "app": {"name": "Tr<ips"}}"#
            try await fixture.server.accounts.pageRules.set(
                try PageRule(try JSONParser.parse(Array(rule.utf8))), container: app.container)
            let page = try await WebVisitor(fixture.server).open(link).text
            #expect(page.contains(#"asks who you are, for <b dir="auto">Tr&lt;ips</b>"#))
            #expect(!page.contains(">\(app.container)<"))
        }
    }

    @Test(
        "The callback gets the token as ckWebAuthToken and ckSession",
        arguments: [
            ("https://app.example/in?x=1#top", "https://app.example/in?x=1&", "https://app.example"),
            ("cloudkit-c://done", "cloudkit-c://done?", "cloudkit-c:"),
        ])
    func callbackToken(callback: String, prefix: String, source: String) async throws {
        try await SignInFixture.run { fixture in
            let app = try await fixture.app(callback: callback)
            let visitor = WebVisitor(fixture.server)
            let link = try await fixture.link(app, origin: nil)
            let page = try await visitor.open(link)
            #expect(page.headers[.policy.contentSecurity]?.contains("form-action 'self' \(source);") == true)
            let answer = try await fixture.signIn(visitor, link)
            #expect(answer.status == 303)
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix(prefix))
            let query = try #require(URLComponents(string: location)?.queryItems)
            let token = query.first { $0.name == "ckWebAuthToken" }?.value
            #expect(token?.hasPrefix("1__1__") == true)
            #expect(query.first { $0.name == "ckSession" }?.value == token)
        }
    }

    /// Origins that the page may post to: those registered, and the one that asked for the link.
    @Test(
        "Only registered origins, or the origin that requested the link, get the token",
        arguments: [
            ([], "https://app.example", false, "https://app.example"), ([], nil, false, nil), ([], "null", false, nil),
            ([], nil, true, "*"), ([], "https://app.example", true, "https://app.example"),
            (["https://app.example"], "https://app.example", false, "https://app.example"),
        ] as [([String], String?, Bool, String?)])
    func knownOrigins(origins: [String], asking: String?, dev: Bool, expected: String?) async throws {
        try await SignInFixture.run(dev: dev) { fixture in
            let link = try await fixture.link(try await fixture.app(origins: origins), origin: asking)
            let visitor = WebVisitor(fixture.server)
            guard let expected else {
                let page = try await visitor.open(link)
                #expect(page.status == 400)
                #expect(page.text.contains("--sign-in-callback"))
                #expect(Handover(page.text) == nil)
                return
            }
            #expect(Handover(try await fixture.signIn(visitor, link).text)?.origin == expected)
        }
    }

    @Test("The page warns when any web site may use the API token")
    func anyOrigin() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            for (origins, isSaid) in [([], true), (["https://app.example"], false)] {
                let page = try await visitor.open(try await fixture.link(try await fixture.app(origins: origins)))
                #expect(page.text.contains("Any web site may ask") == isSaid)
            }
            let callback = try await fixture.app(callback: "https://app.example/in")
            #expect(try await !visitor.open(try await fixture.link(callback)).text.contains("Any web site"))
        }
    }

    @Test("A revoked API token signs nobody in") func revokedToken() async throws {
        try await SignInFixture.run { fixture in
            let link = try await fixture.link(try await fixture.app())
            try await fixture.server.accounts.apiTokens.revoke(id: 1)
            let page = try await WebVisitor(fixture.server).open(link)
            #expect(page.status == 400)
            #expect(Handover(page.text) == nil)
        }
    }

    @Test("A sign-in link gives one token only") func oneToken() async throws {
        try await SignInFixture.run { fixture in
            let link = try await fixture.link(try await fixture.app())
            let first = WebVisitor(fixture.server)
            let second = WebVisitor(fixture.server)
            #expect(try await second.open(link).status == 200)
            #expect(Handover(try await fixture.signIn(first, link).text)?.items["ckSession"] != nil)
            let late = try await second.submit(
                "/auth/signin", ["email": SignInFixture.email, "password": SignInFixture.password])
            #expect(late.status == 400)
            #expect(Handover(late.text)?.items == ["errorMessage": "requestUsed"])
            #expect(late.headers[values: .setCookie].isEmpty)
            #expect(try await first.open(link).status == 400)
        }
    }

    @Test("A sign-in link expires after an hour") func expiry() async throws {
        try await SignInFixture.run { fixture in
            let link = try await fixture.link(try await fixture.app())
            fixture.pass(seconds: 3599)
            #expect(try await WebVisitor(fixture.server).open(link).status == 200)
            fixture.pass(seconds: 1)
            let page = try await WebVisitor(fixture.server).open(link)
            #expect(page.status == 400)
            #expect(Handover(page.text)?.items == ["errorMessage": "requestExpired"])
            #expect(!page.text.contains(" data-closes"))
        }
    }

    @Test("A forged sign-in link gets an error page and no token") func forged() async throws {
        try await SignInFixture.run { fixture in
            let link = try await fixture.link(try await fixture.app())
            for bad in [
                link + "A", String(link.dropLast()), "/auth/signin?request=", "/auth/signin?request=%00<script>",
            ] {
                let page = try await WebVisitor(fixture.server).open(bad)
                #expect(page.status == 400)
                #expect(Handover(page.text) == nil)
                #expect(!page.text.contains("<script"))
            }
        }
    }

    @Test("Cancelling tells the app userCancelled") func cancelled() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open(try await fixture.link(try await fixture.app()))
            let page = try await visitor.submit("/auth/signin", ["action": "cancel"])
            #expect(Handover(page.text)?.items == ["errorMessage": "userCancelled"])
            let app = try await fixture.app(callback: "https://app.example/in")
            _ = try await visitor.open(try await fixture.link(app, origin: nil))
            let answer = try await visitor.submit("/auth/signin", ["action": "cancel"])
            #expect(answer.headers[.location] == "https://app.example/in?errorMessage=userCancelled")
        }
    }

    @Test(
        "A wrong password gets the same message in every state of the account",
        arguments: [
            (SignInFixture.email, "wrong horse"), ("nobody@example.com", "correct horse"), ("", ""),
            ("disabled@example.com", "correct horse"), (SignInFixture.email, String(repeating: "x", count: 5000)),
        ])
    func wrongPassword(email: String, password: String) async throws {
        try await SignInFixture.run { fixture in
            _ = try await fixture.server.accounts.users.create(email: "disabled@example.com")
            _ = try await fixture.server.accounts.users.setPassword("correct horse", email: "disabled@example.com")
            _ = try await fixture.server.accounts.users.setDisabled(true, email: "disabled@example.com")
            let link = try await fixture.link(try await fixture.app())
            let visitor = WebVisitor(fixture.server)
            let answer = try await fixture.signIn(visitor, link, fields: ["email": email, "password": password])
            #expect(answer.status == 401)
            #expect(answer.text.contains("Wrong email address or password."))
            #expect(visitor.cookie(BrowserSession.cookieName) == nil)
            #expect(!answer.text.contains(password) || password.isEmpty)
            #expect(try await fixture.signIn(visitor, link).status == 200)
        }
    }

    @Test("After too many wrong passwords even the right one has to wait") func guessing() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 2 }) { fixture in
            let visitor = WebVisitor(fixture.server)
            let link = try await fixture.link(try await fixture.app())
            for _ in 0..<2 { #expect(try await fixture.signIn(visitor, link, password: "wrong").status == 401) }
            // Not even the right one is tried, in whatever case the address is written.
            let refused = try await fixture.signIn(visitor, link, fields: ["email": "MEI@example.com"])
            #expect(refused.status == 429)
            #expect(refused.headers[.retryAfter] == "450")
            #expect(refused.text.contains("8 minutes"))
            fixture.pass(seconds: 450)
            #expect(try await fixture.signIn(visitor, link).status == 200)
        }
    }

    @Test("A successful sign-in does not count as a guess") func success() async throws {
        try await SignInFixture.run(configure: { $0.guessing.perAccount = 1 }) { fixture in
            let app = try await fixture.app()
            for _ in 0..<3 {
                let link = try await fixture.link(app)
                #expect(try await fixture.signIn(WebVisitor(fixture.server), link).status == 200)
            }
        }
    }

    @Test("One client address cannot guess at many accounts") func manyAccounts() async throws {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.guessing.perAddress = 2
            configuration.trustForwardedFor = true
        }
        try await SignInFixture.run(configure: configure) { fixture in
            let visitor = WebVisitor(fixture.server)
            let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
            _ = try await visitor.open("/auth/signin")
            let statuses = try await [("a", "192.0.2.1"), ("b", "192.0.2.1"), ("c", "192.0.2.1"), ("d", "192.0.2.2")]
                .asyncMap { name, address in
                    try await visitor.submit(
                        "/auth/signin", ["email": "\(name)@example.com", "password": "x"],
                        headers: [.origin: "http://localhost", forwarded: address]
                    ).status
                }
            #expect(statuses == [401, 401, 429, 401])
        }
    }

    @Test(
        "A sign-in form sent from another origin is refused",
        arguments: [
            (["form": ""], "http://localhost"), (["form": "AAAA"], "http://localhost"), ([:], "https://evil.example"),
            ([:], "null"), ([:], ""),
        ] as [([String: String], String)])
    func otherOrigin(fields: [String: String], origin: String) async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin")
            let answer = try await visitor.submit(
                "/auth/signin",
                ["email": SignInFixture.email, "password": SignInFixture.password].merging(fields) { $1 },
                headers: origin.isEmpty ? [:] : [.origin: origin])
            #expect(answer.status == 403)
            #expect(visitor.cookie(BrowserSession.cookieName) == nil)
        }
    }

    @Test("A sign-in form made for another browser is refused") func otherBrowser() async throws {
        try await SignInFixture.run { fixture in
            let attacker = WebVisitor(fixture.server)
            let victim = WebVisitor(fixture.server)
            _ = try await victim.open("/auth/signin")
            let page = try await attacker.open("/auth/signin")
            let form = try #require(page.text.firstMatch(of: #/name="form" value="([^"]+)"/#)?.output.1)
            let answer = try await victim.submit(
                "/auth/signin",
                ["form": String(form), "email": SignInFixture.email, "password": SignInFixture.password])
            #expect(answer.status == 403)
        }
    }
}
