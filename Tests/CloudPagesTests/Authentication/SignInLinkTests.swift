@testable import CloudHTTP
import CloudWire
import TestCloud
import CloudModel
import Foundation
import Testing

struct SignInLinkTests {
    private func link(
        _ fixture: AuthenticationFixture, container: String = "c", query: String, headers: HTTPFields = [:],
        authority: String? = "localhost:9000"
    ) async throws -> String? {
        try await fixture.authenticator.signInURL(
            container: container, environment: .development, query: QueryString(query), headers: headers,
            authority: authority)
    }

    @Test(
        "The sign-in link is absolute",
        arguments: [
            (nil, "localhost:9000", "http://localhost:9000/auth/signin?request="),
            (nil, nil, "http://127.0.0.1:8080/auth/signin?request="),
            (nil, "evil/path@x", "http://127.0.0.1:8080/auth/signin?request="),
            ("https://cloud.example.com", "localhost:9000", "https://cloud.example.com/auth/signin?request="),
        ] as [(String?, String?, String)])
    func absolute(publicURL: String?, authority: String?, prefix: String) async throws {
        let fixture = try AuthenticationFixture(publicURL: publicURL)
        let token = try await fixture.apiToken()
        let link = try #require(try await link(fixture, query: "ckAPIToken=\(token)", authority: authority))
        #expect(link.hasPrefix(prefix))
        #expect(link.dropFirst(prefix.count).wholeMatch(of: #/[A-Za-z0-9_-]+/#) != nil)
    }

    @Test("Two sign-in links differ") func different() async throws {
        let fixture = try AuthenticationFixture()
        let token = try await fixture.apiToken()
        #expect(try await link(fixture, query: "ckAPIToken=\(token)") != link(fixture, query: "ckAPIToken=\(token)"))
    }

    @Test("A sign-in link needs a valid API token") func validToken() async throws {
        let fixture = try AuthenticationFixture()
        let token = try await fixture.apiToken()
        #expect(try await link(fixture, query: "") == nil)
        #expect(try await link(fixture, query: "ckAPIToken=bad") == nil)
        #expect(try await link(fixture, container: "d", query: "ckAPIToken=\(token)") == nil)
        let keyID = try #require(HTTPField.Name("X-Apple-CloudKit-Request-KeyID"))
        #expect(try await link(fixture, query: "ckAPIToken=\(token)", headers: [keyID: "x"]) == nil)
    }
}
