@testable import CloudHTTP
@testable import CloudWire
@testable import CloudPages
import CloudAccounts
import CloudServer
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// Shortcuts of `--dev` stay with this machine's own pages and programs.
struct DevelopmentGateTests {
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

    /// Host, Origin, Sec-Fetch-Site, and whether there is a session.
    @Test(
        "Development sessions are for programs and the server's own pages only",
        arguments: [
            ("localhost:8080", nil, nil, true), ("127.0.0.1:8080", nil, nil, true), ("[::1]:8080", nil, nil, true),
            ("app.localhost", nil, nil, true), ("192.0.2.7:8080", nil, nil, true), ("dev.example.com", nil, nil, true),
            ("localhost:8080", "http://localhost:8080", "same-origin", true),
            ("localhost:8080", "https://dev.example.com", nil, true), ("localhost:8080", nil, "none", true),
            ("localhost:8080", "http://localhost:3000", "same-site", false),
            ("localhost:8080", "http://localhost:3000", nil, false),
            ("localhost:8080", "https://evil.example", "cross-site", false),
            ("localhost:8080", "https://evil.example", nil, false), ("localhost:8080", "null", nil, false),
            ("localhost:8080", nil, "cross-site", false), ("localhost:8080", nil, "same-site", false),
            ("evil.example:8080", "http://evil.example:8080", "same-origin", false),
            ("evil.example", nil, nil, false), ("localhost.evil.example", nil, nil, false),
            ("127.0.0.1.evil.example", nil, nil, false), ("dev.example.com.evil.example", nil, nil, false),
            ("", nil, nil, false), ("localhost@evil.example", nil, nil, false),
        ] as [(String, String?, String?, Bool)])
    func audience(host: String, origin: String?, site: String?, isWelcome: Bool) {
        var settings = HTTPSettings()
        settings.publicURL = "https://dev.example.com"
        var fields = HTTPFields()
        fields[.origin] = origin
        fields[Self.fetchSite] = site
        let request = HTTPRequest(method: .post, authority: host, path: "/auth/dev/session", headerFields: fields)
        let fault = DevelopmentGate(settings).fault(request)
        #expect((fault == nil) == isWelcome, "\(fault ?? "")")
    }

    private static let forwarding: [(name: String, value: String)] = [
        ("Forwarded", "for=203.0.113.7"), ("X-Forwarded-For", "203.0.113.7"), ("x-forwarded-for", ""),
        ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "localhost"), ("Via", "1.1 proxy"),
        ("X-Real-IP", "203.0.113.7"), ("X-Original-URL", "/console"), ("CF-Connecting-IP", "203.0.113.7"),
        ("True-Client-IP", "203.0.113.7"), ("X-Envoy-External-Address", "203.0.113.7"),
    ]

    @Test("A proxied request is not local, unless remote access is allowed", arguments: forwarding)
    func proxiedRequest(name: String, value: String) throws {
        let request = HTTPRequest(
            method: .post, authority: "localhost", path: "/auth/dev/session",
            headerFields: [try #require(HTTPField.Name(name)): value])
        var settings = HTTPSettings()
        #expect(DevelopmentGate(settings).fault(request) != nil)
        settings.devAllowsRemote = true
        #expect(DevelopmentGate(settings).fault(request) == nil)
    }

    @Test("A proxy before a development server opens neither console, sign-in, emulator nor request log")
    func proxied() async throws {
        let forwarded: HTTPFields = [HTTPField.Name("X-Forwarded-For")!: "203.0.113.7"]
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            for path in ["/console", "/console/data", "/console/signin", "/emulator/1/clock", "/admin/1/requests"] {
                #expect(try await server.send(.get, path, headers: forwarded).status == 403, "\(path)")
                #expect(try await server.send(.get, path).status < 400, "\(path)")
            }
            let body = ByteBuffer(
                string: #"{"container": "c", "environment": "development", "email": "eve@example.com"}"#)
            let session = try await server.send(.post, "/auth/dev/session", headers: forwarded, body: body)
            #expect(session.status == 403 && session.reason.contains("--dev-allow-remote"), "\(session.text)")
            #expect(try await server.accounts.users.find(email: "eve@example.com") == nil)
            let page = try await server.send(.get, "/auth/signin", headers: forwarded)
            #expect(page.status == 200 && !page.text.contains("mei@example.com"))
            #expect(try await server.send(.get, "/auth/signin").text.contains("mei@example.com"))
        }
        try await TestServer.run(configure: { $0.devAllowsRemote = true }) { (server) async throws in
            #expect(try await server.send(.get, "/console", headers: forwarded).status == 403)
            #expect(try await server.send(.get, "/emulator/1/clock", headers: forwarded).status == 200)
        }
    }

    @Test("A page of another site gets no development session, and no account is created")
    func foreignPages() async throws {
        try await TestServer.run { server in
            let body = ByteBuffer(
                string: #"{"container": "c", "environment": "development", "email": "me@example.com"}"#)
            for headers: HTTPFields in [
                [.origin: "https://evil.example"], [.origin: "null"], [Self.fetchSite: "cross-site"],
                [.origin: "http://localhost:3000"],
            ] {
                let answer = try await server.send(.post, "/auth/dev/session", headers: headers, body: body)
                #expect(answer.status == 403)
                #expect(answer.code == "ACCESS_DENIED")
            }
            #expect(try await server.accounts.users.all().isEmpty)
            for headers: HTTPFields in [[:], [.origin: "http://localhost", Self.fetchSite: "same-origin"]] {
                #expect(try await server.send(.post, "/auth/dev/session", headers: headers, body: body).status == 200)
            }
        }
    }

    @Test("A page on another port of this machine can use the API with its token")
    func otherPorts() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let headers: HTTPFields = [.origin: "http://localhost:3000", Self.fetchSite: "same-site"]
            let answer = try await mei.post("private/zones/list", "", headers: headers)
            #expect(answer.status == 200)
            #expect(answer.headers[.accessControl.allowOrigin] == "http://localhost:3000")
        }
    }

    @Test("The one-click sign-in is limited to this server's pages")
    func foreignOneClick() async throws {
        try await SignInFixture.run(dev: true) { fixture in
            let visitor = WebVisitor(fixture.server)
            for headers: HTTPFields in [
                [.origin: "https://evil.example"], [.origin: "http://localhost:3000"],
                [.origin: "http://localhost", Self.fetchSite: "cross-site"],
            ] {
                _ = try await visitor.open("/auth/signin")
                let answer = try await visitor.submit(
                    "/auth/signin", ["person": SignInFixture.email], headers: headers)
                #expect(answer.status == 403)
                #expect(visitor.cookie(BrowserSession.cookieName) == nil)
            }
        }
    }

    @Test("No answer allows public pages into a private network")
    func privateNetworks() async throws {
        for dev in [true, false] {
            try await TestServer.run(dev: dev) { server in
                let ask = try #require(HTTPField.Name("Access-Control-Request-Private-Network"))
                let leave = try #require(HTTPField.Name("Access-Control-Allow-Private-Network"))
                let answer = try await server.send(
                    .options, "/auth/dev/session", headers: [.origin: "https://evil.example", ask: "true"])
                #expect(answer.headers[leave] == nil)
            }
        }
    }

    @Test("In development the answer names the fault of a web auth token")
    func tokenFault() async throws {
        let fixture = try AuthenticationFixture(dev: true)
        let query = "ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken="
        func reason(_ token: String, container: String = "c") async throws -> String {
            let error = await #expect(throws: ServerError.self) {
                _ = try await fixture.identify(container: container, .development, .private, query: query + token)
            }
            #expect(error?.code == .authenticationRequired)
            return error?.reason ?? ""
        }
        let token = try await fixture.webAuthToken()
        #expect(try await reason("1__1__bad").contains("malformed"))
        #expect(try await reason("1__1__" + String(repeating: "A", count: 64)).contains("not known"))
        _ = try await fixture.accounts.containers.ensure(name: "d")
        #expect(try await reason(token, container: "d").contains("another container, 'c'"))
        let production = try await fixture.webAuthToken(.production)
        #expect(try await reason(production).contains("another environment, production"))
        _ = try await fixture.accounts.users.setDisabled(true, email: "a@example.com")
        #expect(try await reason(token).contains("not known"))
        _ = try await fixture.accounts.users.setDisabled(false, email: "a@example.com")
        let late = try await fixture.webAuthToken()
        fixture.pass(seconds: 1801)
        _ = try await fixture.webAuthToken(email: "b@example.com")
        #expect(try await reason(late).contains("has expired"))
    }

    @Test("In production the answer is the same for every web auth token")
    func productionAnswer() async throws {
        let fixture = try AuthenticationFixture()
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken="
        let expired = try await fixture.webAuthToken()
        fixture.pass(seconds: 1801)
        for token in [expired, "1__1__bad", "a%20b"] {
            let error = await #expect(throws: ServerError.self) { _ = try await fixture.identify(query: query + token) }
            #expect(error?.reason == "request needs authorization")
        }
    }
}
