import CloudModel
import CloudServer
import CloudStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

struct SignInLinkTests {
    private func link(
        _ fixture: AuthenticationFixture, container: String = "c", query: String, headers: HTTPFields = [:],
        authority: String? = "localhost:9000"
    ) throws -> String? {
        try fixture.authenticator.signInURL(
            container: container, environment: .development, query: QueryString(query), headers: headers,
            authority: authority)
    }

    private func page(_ fixture: AuthenticationFixture, _ link: String) async throws -> (Response, String) {
        let query = link.split(separator: "?").last.map(String.init)
        let response = try await SignInPage(fixture.authenticator).answer(query: query)
        let text = Text()
        try await response.body.write(text)
        return (response, text.collected.value)
    }

    @Test(
        arguments: [
            (nil, "localhost:9000", "http://localhost:9000/auth/signin?request="),
            (nil, nil, "http://127.0.0.1:8080/auth/signin?request="),
            (nil, "evil/path@x", "http://127.0.0.1:8080/auth/signin?request="),
            ("https://cloud.example.com", "localhost:9000", "https://cloud.example.com/auth/signin?request="),
        ] as [(String?, String?, String)])
    func theLinkIsAbsolute(publicURL: String?, authority: String?, prefix: String) async throws {
        let fixture = try AuthenticationFixture(publicURL: publicURL)
        let token = try await fixture.apiToken()
        let link = try #require(try link(fixture, query: "ckAPIToken=\(token)", authority: authority))
        #expect(link.hasPrefix(prefix))
        #expect(link.dropFirst(prefix.count).wholeMatch(of: #/[A-Za-z0-9_-]+/#) != nil)
    }

    @Test func nobodyCanSignInWithoutAGoodAPIToken() async throws {
        let fixture = try AuthenticationFixture()
        let token = try await fixture.apiToken()
        #expect(try link(fixture, query: "") == nil)
        #expect(try link(fixture, query: "ckAPIToken=bad") == nil)
        #expect(try link(fixture, container: "d", query: "ckAPIToken=\(token)") == nil)
        let keyID = try #require(HTTPField.Name("X-Apple-CloudKit-Request-KeyID"))
        #expect(try link(fixture, query: "ckAPIToken=\(token)", headers: [keyID: "x"]) == nil)
    }

    @Test func thePageSaysWhatToDo() async throws {
        let fixture = try AuthenticationFixture()
        let token = try await fixture.apiToken()
        let link = try #require(
            try link(fixture, query: "ckAPIToken=\(token)", headers: [.origin: "https://a.example"]))
        fixture.pass(seconds: 15 * 60)
        let (response, text) = try await page(fixture, link)
        #expect(response.status == .ok)
        #expect(text.contains("cumulus session create --container c --environment development"))
        #expect(response.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        #expect(response.headers[try #require(HTTPField.Name("Cross-Origin-Opener-Policy"))] == nil)
    }

    @Test func expiredForgedOrMissingRequestsGetAPlainPage() async throws {
        let fixture = try AuthenticationFixture()
        let other = try AuthenticationFixture()
        let link = try #require(try link(fixture, query: "ckAPIToken=\(try await fixture.apiToken())"))
        let foreign = try #require(try self.link(other, query: "ckAPIToken=\(try await other.apiToken())"))
        let forged = link.replacing("request=e", with: "request=f")
        for bad in [foreign, forged, link + "A", link.dropLast().description, "?request=", "?", "?request=%00<script>"]
        {
            let (response, text) = try await page(fixture, bad)
            #expect(response.status == .badRequest)
            #expect(!text.contains("script"))
        }
        fixture.pass(seconds: 3601)
        #expect(try await page(fixture, link).0.status == .badRequest)
    }
}

/// Gathers the body of a page.
private struct Text: ResponseBodyWriter {
    final class Collected: @unchecked Sendable {
        // Written by one body after the other, read afterwards.
        var value = ""
    }

    let collected = Collected()

    mutating func write(_ buffer: ByteBuffer) async throws {
        collected.value += String(buffer: buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
