@testable import CloudPages
import CloudAccounts
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import Testing

struct BrowserSessionTests {
    private func signIn(_ visitor: WebVisitor, _ address: String = "/auth/signin", keep: Bool = false) async throws
        -> Answer
    {
        #expect(try await visitor.open(address).status == 200)
        var fields = ["email": SignInFixture.email, "password": SignInFixture.password, "action": "signin"]
        if keep { fields["keep"] = "1" }
        return try await visitor.submit("/auth/signin", fields)
    }

    @Test("After signing in the browser returns to the page that asked") func returnPage() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            let answer = try await signIn(visitor, "/auth/signin?return=/share/abc%3Fx=1")
            #expect(answer.status == 303)
            #expect(answer.headers[.location] == "/share/abc?x=1")
            let page = try await visitor.open("/auth/signin")
            #expect(page.text.contains("You are signed in"))
            #expect(page.text.contains("Mei &lt;Chen&gt;"))
        }
    }

    @Test(
        "A return address on another site is refused",
        arguments: [
            "https://evil.example", "//evil.example", "/%5Cevil.example", "/%09/evil.example", "javascript:x",
        ])
    func otherSite(target: String) async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            #expect(try await visitor.open("/auth/signin?return=\(target)").status == 400)
            _ = try await visitor.open("/auth/signin")
            let answer = try await visitor.submit(
                "/auth/signin",
                [
                    "email": SignInFixture.email, "password": SignInFixture.password,
                    "return": target.removingPercentEncoding ?? "",
                ])
            #expect(answer.status == 400 || answer.headers[.location]?.contains("evil") == false)
        }
    }

    @Test(
        "The session cookie is HttpOnly, SameSite, and over https Secure and bound to its host",
        arguments: [
            (nil, false, false, nil), ("https://a.example", true, true, "1209600"),
        ] as [(String?, Bool, Bool, String?)])
    func cookieAttributes(publicURL: String?, keep: Bool, secure: Bool, age: String?) async throws {
        try await SignInFixture.run(configure: { $0.publicURL = publicURL }) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin")
            var fields = ["email": SignInFixture.email, "password": SignInFixture.password]
            if keep { fields["keep"] = "1" }
            let answer = try await visitor.submit(
                "/auth/signin", fields, headers: [.origin: publicURL ?? "http://localhost"])
            let name = secure ? "__Host-cumulus_session" : "cumulus_session"
            let cookie = try #require(answer.headers[values: .setCookie].first { $0.hasPrefix(name + "=") })
            #expect(cookie.contains("HttpOnly"))
            #expect(cookie.contains("SameSite=Lax"))
            #expect(cookie.contains("Path=/;") || cookie.hasSuffix("Path=/"))
            #expect(!cookie.contains("Domain"))
            #expect(cookie.contains("Secure") == secure)
            #expect(cookie.firstMatch(of: #/Max-Age=(\d+)/#).map { String($0.output.1) } == age)
        }
    }

    @Test("Over https a cookie without the prefix, which a neighbour may have set, counts for nothing")
    func neighbourCookie() async throws {
        try await SignInFixture.run(configure: { $0.publicURL = "https://a.example" }) { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await visitor.open("/auth/signin")
            let fields = ["email": SignInFixture.email, "password": SignInFixture.password]
            _ = try await visitor.submit("/auth/signin", fields, headers: [.origin: "https://a.example"])
            let name = "__Host-" + BrowserSession.cookieName
            let token = try #require(visitor.cookie(name))
            #expect(try await visitor.open("/auth/signout").text.contains(SignInFixture.email))
            visitor.setCookie(name, nil)
            visitor.setCookie(BrowserSession.cookieName, token)
            #expect(try await !visitor.open("/auth/signout").text.contains(SignInFixture.email))
        }
    }

    @Test("A person who is signed in continues to the app with one click") func oneClick() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await signIn(visitor)
            let link = try await fixture.link(try await fixture.app())
            let page = try await visitor.open(link)
            #expect(page.text.contains("Continue as"))
            #expect(!page.text.contains("type=\"password\""))
            #expect(try await visitor.open(link + "&other=1").text.contains("type=\"password\""))
            _ = try await visitor.open(link)
            let answer = try await visitor.submit("/auth/signin", ["action": "continue"])
            #expect(Handover(answer.text)?.items["ckSession"] != nil)
        }
    }

    @Test("Signing out ends the session on the server, whatever cookie the browser keeps")
    func signOut() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await signIn(visitor)
            let cookie = try #require(visitor.cookie(BrowserSession.cookieName))
            _ = try await visitor.open("/auth/signout?return=/share/abc")
            let answer = try await visitor.submit("/auth/signout", [:])
            #expect(answer.headers[.location] == "/share/abc")
            #expect(visitor.cookie(BrowserSession.cookieName) == nil)
            visitor.setCookie(BrowserSession.cookieName, cookie)
            #expect(try await visitor.open("/auth/signin").text.contains("type=\"password\""))
            #expect(try await visitor.open("/auth/signout").text.contains("You are signed out"))
        }
    }

    @Test("A session ends when the account is disabled or its password changes") func sessionEnd() async throws {
        try await SignInFixture.run { fixture in
            let accounts = fixture.server.accounts
            let visitor = WebVisitor(fixture.server)
            _ = try await signIn(visitor)
            _ = try await accounts.users.setPassword("another horse", email: SignInFixture.email)
            #expect(try await visitor.open("/auth/signin").text.contains("type=\"password\""))
            _ = try await accounts.users.setPassword(SignInFixture.password, email: SignInFixture.email)
            _ = try await signIn(visitor)
            _ = try await accounts.users.setDisabled(true, email: SignInFixture.email)
            #expect(try await visitor.open("/auth/signin").text.contains("type=\"password\""))
        }
    }

    @Test("A browser session lasts as long as it is used") func lifetime() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            _ = try await signIn(visitor)
            for _ in 0..<3 {
                fixture.pass(seconds: 1700)
                #expect(try await visitor.open("/auth/signin").text.contains("You are signed in"))
            }
            fixture.pass(seconds: 1801)
            #expect(try await visitor.open("/auth/signin").text.contains("type=\"password\""))
        }
    }

    @Test("On a development server any visitor can sign in as any user") func developmentSessions() async throws {
        try await SignInFixture.run(dev: true) { fixture in
            let link = try await fixture.link(fixture.server.app("c"))
            let visitor = WebVisitor(fixture.server)
            let page = try await visitor.open(link)
            #expect(page.text.contains("value=\"\(SignInFixture.email)\""))
            let answer = try await visitor.submit("/auth/signin", ["person": SignInFixture.email])
            #expect(Handover(answer.text)?.items["ckSession"] != nil)
            let other = WebVisitor(fixture.server)
            _ = try await other.open("/auth/signin")
            #expect(try await other.submit("/auth/signin", ["person": "new"]).status == 303)
            #expect(try await fixture.server.accounts.users.all().count == 2)
        }
    }

    @Test("A production server does not sign in test users") func production() async throws {
        try await SignInFixture.run { fixture in
            let visitor = WebVisitor(fixture.server)
            #expect(try await visitor.open("/auth/signin").text.contains("Test people") == false)
            let answer = try await visitor.submit("/auth/signin", ["person": SignInFixture.email])
            #expect(answer.status == 401)
        }
    }
}
