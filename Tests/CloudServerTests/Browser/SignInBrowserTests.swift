@testable import CloudServer
import CloudAccounts
import CloudHTTP
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Synchronization
import TestBrowser
import Testing

/// Signing in as a person does, with a browser.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct SignInBrowserTests {
    private static let email = "mei@example.com"
    private static let password = "correct horse"

    /// A server, the site of an app with an API token of its own, and a page of that site.
    private func stage(
        origins: @escaping @Sendable (AppSite) -> [String] = { [$0.origin] },
        callback: @escaping @Sendable (AppSite) -> String? = { _ in nil },
        _ body:
            @escaping @Sendable (_ server: TestServer, _ page: BrowserPage, _ app: App, _ origin: String) async throws
            -> Void
    ) async throws {
        try await TestServer.run(.live, dev: false) { server in
            let origin = "http://127.0.0.1:\(try #require(server.client.port))"
            _ = try await server.accounts.containers.create(name: "c")
            _ = try await server.accounts.users.create(email: Self.email, givenName: "Mei", familyName: "Chen")
            _ = try await server.accounts.users.setPassword(Self.password, email: Self.email)
            let target = Mutex("")
            try await AppSite.run({ _ in AppSite.signInPage(caller: origin + target.withLock(\.self)) }) { site in
                var app = server.app("c", environment: "production")
                app.apiToken = try await server.accounts.apiTokens.create(
                    container: "c", environment: .production, name: "web", allowedOrigins: origins(site),
                    signInCallback: callback(site)
                ).text
                target.withLock { $0 = app.target("public/users/caller") }
                let page = try await TestBrowser().page(width: 640, height: 525)
                try await page.open(site.origin + "/")
                try await page.wait(for: "'ready' in document.body.dataset")
                try await body(server, page, app, origin)
            }
        }
    }

    private func fill(_ page: BrowserPage, password: String = password) async throws {
        try await page.type(Self.email, into: "#email")
        try await page.type(password, into: "#password")
    }

    private func message(_ page: BrowserPage) async throws -> JSONValue {
        try await page.wait(for: "document.getElementById('message').textContent != ''")
        return try JSONParser.parse(
            Array(try await page.text(of: "document.getElementById('message').textContent").utf8))
    }

    @Test("The sign-in window hands the token to the page that opened it") func openerToken() async throws {
        try await stage { server, page, app, origin in
            let window = try await page.popup { try await page.click("#popup") }
            #expect(try await window.text.contains(#/localhost:\d+ asks who you are, for c \(production\)/#))
            try await fill(window, password: "wrong horse")
            try await window.load { try await window.press("Enter") }
            #expect(try await window.text.contains("Wrong email address or password."))
            #expect(try await window.text(of: "document.activeElement.id") == "password")
            try await fill(window)
            try await window.closing { try await window.press("Enter") }
            let message = try await message(page)
            #expect(message[path: "from"]?.string == origin)
            #expect(message[path: "ckSession"] == message[path: "ckWebAuthToken"])
            var app = app
            app.token = message[path: "ckSession"]?.string
            let caller = try await page.evaluate(
                "fetch('\(origin)\(app.target("public/users/caller"))').then(answer => answer.json())")
            #expect(caller[path: "emailAddress"]?.string == Self.email)
            #expect(window.faults.filter { !$0.contains("401") } == [])
        }
    }

    @Test("Cancelling in the sign-in window tells the page that opened it") func cancelledWindow() async throws {
        try await stage { _, page, _, _ in
            let window = try await page.popup { try await page.click("#popup") }
            try await window.closing { try await window.click("button[value=cancel]") }
            #expect(try await message(page)[path: "errorMessage"]?.string == "userCancelled")
        }
    }

    /// Somebody else's page opens a link that was asked for by the app's: the token is not for it.
    @Test("A page of another origin gets no token from the sign-in window") func foreignPage() async throws {
        try await stage(origins: { _ in ["https://app.example"] }) { server, page, app, origin in
            let answer = try await server.send(
                .get, app.target("public/users/caller"), headers: [.origin: "https://app.example"])
            let path = try #require(answer["redirectURL"]?.string).split(separator: "/", maxSplits: 2)[2]
            try await page.evaluate("link = '\(origin)/\(path)'")
            let window = try await page.popup { try await page.click("#popup") }
            try await fill(window)
            try await window.closing { try await window.press("Enter") }
            #expect(try await page.text(of: "document.getElementById('message').textContent") == "")
        }
    }

    @Test("After signing in the browser opens the callback") func callbackRedirect() async throws {
        try await stage(origins: { _ in [] }, callback: { $0.origin + "/back?x=1" }) { _, page, _, _ in
            try await page.load { try await page.click("#redirect") }
            try await fill(page)
            try await page.load { try await page.click("button[value=signin]") }
            let address = try await page.address
            #expect(address.hasPrefix("http://localhost:"))
            #expect(address.contains("/back?x=1&ckWebAuthToken=1__1__"))
            #expect(address.contains("&ckSession=1__1__"))
            #expect(page.faults.filter { !$0.contains("421") } == [])
        }
    }

    @Test("Cards fit 320 pixels with long names of containers, apps and people")
    func narrowCards() async throws {
        let configure = { (configuration: inout ServerConfiguration) in configuration.registration.isOpen = true }
        try await TestServer.run(.live, configure: configure) { server in
            let origin = "http://127.0.0.1:\(try #require(server.client.port))"
            let email = "kapitaenswitwe-mueller@a-very-long-domain-name-of-a-provider-of-mail.example.com"
            _ = try await server.accounts.users.create(
                email: email, givenName: "Donaudampfschifffahrtsgesellschaftskapitänswitwe")
            let container = "iCloud.com.example." + String(repeating: "averylongcontainername", count: 5)
            let refusal = try await server.send(
                .get, server.app(container).target("public/users/caller"),
                headers: [.origin: "https://an-app-with-a-very-long-name-indeed.a-very-long-domain-name.example.com"])
            let path = try #require(refusal["redirectURL"]?.string).split(separator: "/", maxSplits: 2)[2]
            let page = try await TestBrowser().page(width: 320, height: 640)
            for signsIn in [false, true] {
                for address in [path[...], "auth/register", "auth/confirm", "auth/signin", "auth/signout"] {
                    try await page.open("\(origin)/\(address)")
                    try await page.fits()
                }
                try await page.open("\(origin)/\(path)")
                #expect(try await page.text.contains(container))
                try await page.screenshot("signin-long-320-\(signsIn ? "known" : "new")")
                if !signsIn {
                    try await page.open("\(origin)/auth/signin")
                    // Not with the mouse: where a point is, is in doubt for a while after a picture of the whole page.
                    try await page.load {
                        try await page.evaluate("document.querySelector(\"button[value='\(email)']\").click()")
                    }
                }
            }
        }
    }

    @Test("Every sign-in page on the way into an app fits narrow and wide screens") func looks() async throws {
        let configure = { (configuration: inout ServerConfiguration) in configuration.registration.isOpen = true }
        try await TestServer.run(.live, configure: configure) { server in
            let origin = "http://127.0.0.1:\(try #require(server.client.port))"
            _ = try await server.accounts.users.create(
                email: "ada.lovelace@example.com", givenName: "Ada", familyName: "Lovelace")
            _ = try await server.accounts.users.create(email: "נועה@example.com", givenName: "נועה")
            let caller = server.app("iCloud.com.example.notes").target("public/users/caller")
            let browser = try await TestBrowser()
            for (width, dark) in [(360, true), (1280, false)] {
                let look = "\(width)-\(dark ? "dark" : "light")"
                let page = try await browser.page(width: width, height: width == 360 ? 740 : 800, dark: dark)
                let refusal = try await server.send(.get, caller, headers: [.origin: "https://notes.example.com"])
                let path = try #require(refusal["redirectURL"]?.string).split(separator: "/", maxSplits: 2)[2]
                let link = "\(origin)/\(path)"
                try await page.open(link)
                try await page.fits()
                try await page.screenshot("signin-\(look)")
                try await page.type("ada.lovelace@example.com", into: "#email")
                try await page.type("wrong", into: "#password")
                try await page.load { try await page.click("button[value=signin]") }
                try await page.screenshot("signin-wrong-\(look)")
                for name in ["register", "confirm?id=x", "forgot", "reset", "signout", "nothing"] {
                    try await page.open("\(origin)/auth/\(name == "nothing" ? "signin?return=//x" : name)")
                    try await page.fits()
                    try await page.screenshot("\(name.prefix { $0 != "?" })-\(look)")
                }
                try await page.open("\(origin)/auth/signin")
                try await page.load { try await page.click("button[value='ada.lovelace@example.com']") }
                try await page.screenshot("signed-in-\(look)")
                for name in ["account", "account/delete"] {
                    try await page.open("\(origin)/\(name)")
                    try await page.fits()
                    try await page.screenshot("\(name.replacing("/", with: "-"))-\(look)")
                }
                try await page.open(link)
                try await page.fits()
                try await page.screenshot("continue-\(look)")
                try await page.load { try await page.click("button[value=continue]") }
                #expect(try await page.text.contains("the app was closed"))
                try await page.screenshot("handover-alone-\(look)")
                #expect(page.faults.filter { !$0.contains("status of 40") } == [])
            }
        }
    }
}

extension BrowserPage {
    /// Nothing sticks out at the side, and everything that can be pressed is large enough for a finger.
    func fits(_ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await evaluate(Layout.fits) == .array([]), comment, sourceLocation: sourceLocation)
    }
}
