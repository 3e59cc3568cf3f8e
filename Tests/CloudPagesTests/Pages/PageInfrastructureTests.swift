@testable import CloudHTTP
@testable import CloudPages
@testable import CloudServer
import TestCloud
import Foundation
import NIOCore
import Testing

struct PageTemplateTests {
    let templates: PageTemplates

    init() throws {
        templates = try PageTemplates(
            try PublicFiles(folder: nil), pages: PageTable.all,
            common: ["static": "/static/x"])
    }

    /// The last ones are one character each to Swift, and two to a browser.
    @Test(
        "A value with HTML markup adds no markup to the page",
        arguments: ["<script>", "\" onmouseover=\"x", "'x", "&amp;", "\"\u{301}x", "<\u{338}img", "'\u{20E3}"])
    func escaped(value: String) throws {
        let page = try templates.render(PageError.View(title: value, text: value, back: nil)).text
        let clean = try templates.render(PageError.View(title: "", text: "", back: nil)).text
        for mark in ["<", ">", "\"", "'"] {
            let count = { (text: String) in text.utf8.count { $0 == mark.utf8.first } }
            #expect(count(page) == count(clean), "\(mark)")
        }
    }

    @Test("No template has an unescaped value, inline style or script")
    func markup() throws {
        for (name, bytes) in try PublicFiles(folder: nil).files(in: "templates") {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("{{{") && !text.contains("{{&"), "\(name)")
            #expect(text.firstMatch(of: #/ style=| on[a-z]+=|<style|<script>/#) == nil, "\(name)")
        }
    }

    @Test("A missing public folder is refused with its name and its setting")
    func missingFolder() {
        let error = #expect(throws: PublicFiles.Missing.self) { try PublicFiles(folder: "/nowhere") }
        #expect(error?.description.contains("'/nowhere'") == true)
        #expect(error?.description.contains("CUMULUS_PUBLIC") == true)
    }
}

struct StaticFileTests {
    @Test("Pages link icons for home screens, which devices also ask for by name") func icons() async throws {
        try await TestServer.run { server in
            let page = try await server.send(.get, "/auth/signin").text
            let link = try #require(page.firstMatch(of: #/rel="apple-touch-icon" href="([^"]+)"/#)?.output.1)
            let large = try #require(page.firstMatch(of: #/sizes="512x512" href="([^"]+)"/#)?.output.1)
            for (path, side) in [("/apple-touch-icon.png", 180), (String(link), 180), (String(large), 512)] {
                let answer = try await server.client.execute(uri: path, method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok && answer.headers[.contentType] == "image/png")
                let bytes = Array(answer.body.readableBytesView)
                try #require(bytes.count > 24)
                #expect(bytes[1..<4] == [0x50, 0x4E, 0x47] && bytes[16..<20] == bytes[20..<24])
                #expect(Int(bytes[18]) << 8 | Int(bytes[19]) == side && bytes.count < 10_000)
            }
        }
    }

    @Test("Browsers keep a static file for a year; under an older address they ask again")
    func caching() async throws {
        try await TestServer.run { server in
            let page = try await server.send(.get, "/static/x/none.css")
            let style = try #require(page.text.firstMatch(of: #/href="(/static/[^"]+\.css)"/#)?.output.1)
            let answer = try await server.send(.get, String(style))
            #expect(answer.status == 200)
            #expect(answer.headers[.contentType] == "text/css; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(answer.headers[.accessControl.allowOrigin] == nil)
            let tag = try #require(answer.headers[.eTag])
            let again = try await server.send(.get, String(style), headers: [.condition.noneMatch: tag])
            #expect(again.status == 304)
            #expect(again.text.isEmpty)
            let old = try await server.send(.get, "/static/old/cumulus.css")
            #expect(old.text == answer.text)
            #expect(old.headers[.cacheControl] == "no-cache")
        }
    }

    @Test(
        "A path out of the static folder answers 404 with a page",
        arguments: [
            "/static/x/..%2Ftemplates%2Flayout.mustache", "/static/x/%2e%2e%2f%2e%2e%2fPackage.swift",
            "/static/x/layout.mustache", "/static/x/cumulus.css%00", "/static/x/.", "/static/x/%2Fetc%2Fpasswd",
        ])
    func traversal(path: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, path)
            #expect(answer.status == 404)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
        }
    }
}

struct PageAnswerTests {
    @Test("A page forbids inline scripts, frames, sniffing, storing and use by other origins")
    func pageHeaders() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.get, "/static/x/none", headers: [.origin: "https://other.example"])
            #expect(answer.status == 404)
            let policy = try #require(answer.headers[.policy.contentSecurity])
            #expect(policy.contains("default-src 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.policy.referrer] == "same-origin")
            #expect(answer.headers[.frameOptions] == "DENY")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.accessControl.allowOrigin] == nil)
            #expect(answer.headers[.accessControl.allowCredentials] == nil)
        }
    }

    @Test("DELETE of a static file answers 405 with Allow; HEAD answers 200 without a body")
    func otherMethods() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(.delete, "/static/x/cumulus.css")
            #expect(answer.status == 405)
            #expect(answer.headers[.allow] == "GET, HEAD")
            let head = try await server.send(.head, "/static/x/cumulus.css")
            #expect(head.status == 200)
            #expect(head.text.isEmpty)
        }
    }

    @Test(
        "A form gives every value of a name, and percent-decoded text",
        arguments: [
            ("a=1&b=two+words&a=3", ["1", "3"], "two words"), ("b=%C3%A9%26&a", [""], "é&"),
            ("&&a=%zz&b==", ["%zz"], "="),
            ("a[a][a]=1&b=", [], ""),
        ])
    func formFields(body: String, a: [String], b: String) {
        let form = FormFields(body.utf8)
        #expect(form.all("a") == a)
        #expect(form["b"] == b)
    }

    @Test(
        "A form is accepted from the server's own origin only",
        arguments: [
            (nil, "localhost:80", "http://localhost", nil, true), (nil, "a.example", "https://a.example", nil, true),
            (nil, "a.example", "https://b.example", nil, false), (nil, "a.example", "null", nil, false),
            (nil, "a.example", nil, nil, false), (nil, "a.example", "https://a.example", "same-site", false),
            (nil, "a.example", "https://a.example", "same-origin", true),
            ("https://a.example", "127.0.0.1:8080", "https://a.example", nil, true),
            ("https://a.example", "a.example", "http://a.example", nil, false),
            ("https://a.example", "b.example", "https://b.example", nil, false),
        ] as [(String?, String, String?, String?, Bool)])
    func formOrigin(publicURL: String?, authority: String, origin: String?, site: String?, expected: Bool) {
        var settings = HTTPSettings()
        settings.publicURL = publicURL
        var headers: HTTPFields = [:]
        headers[.origin] = origin
        headers[.fetchSite] = site
        let head = HTTPRequest(method: .post, authority: authority, path: "/", headerFields: headers)
        #expect(PublicOrigin(settings).sent(.init(head: head, body: .init(buffer: ByteBuffer()))) == expected)
    }

    @Test(
        "The client's address is taken from a trusted proxy's X-Forwarded-For only, IPv6 by its /64",
        arguments: [
            (nil, "192.0.2.7", false, "192.0.2.7"), ("10.0.0.1, 192.0.2.9", "127.0.0.1", true, "192.0.2.9"),
            ("192.0.2.9", "127.0.0.1", false, "127.0.0.1"), ("rubbish", "127.0.0.1", true, "127.0.0.1"),
            (nil, "2001:db8:1:2:3:4:5:6", false, "2001:db8:1:2::/64"), (nil, "::ffff:192.0.2.7", false, "192.0.2.7"),
        ] as [(String?, String, Bool, String)])
    func clientAddress(forwarded: String?, peer: String, trust: Bool, expected: String) throws {
        var headers: HTTPFields = [:]
        headers[.forwardedFor] = forwarded
        let address = ClientAddress(
            headers: headers, peer: try SocketAddress(ipAddress: peer, port: 1), trustForwardedFor: trust)
        #expect(address?.text == expected)
    }
}
