import CloudAccounts
import CloudHTTP
import CloudModel
import Foundation
import TestCloud
import Testing

@testable import CloudWire

/// Requests with the same target, whose claim is remembered with the target.
@Suite(.timeLimit(.minutes(10)))
struct KnownClaimTests {
    let fixture: AuthenticationFixture
    let apiToken: String
    let request: CredentialedRequest

    init() async throws {
        fixture = try AuthenticationFixture()
        apiToken = try await fixture.apiToken()
        let query = "ckAPIToken=\(apiToken)&ckWebAuthToken=\(try await fixture.webAuthToken())"
        request = AuthenticationFixture.request("c", .development, .private, query: query)
        // Fills the caches that a claim at hand is made from: the second time with the session's text.
        for _ in 0..<2 { _ = try await fixture.authenticator.identify(request) }
    }

    /// The request with other headers.
    private static func request(_ request: Request, _ fields: HTTPFields) -> Request {
        request.with(
            HTTPRequest(
                method: request.method, authority: request.authority, path: request.target, headerFields: fields))
    }

    private func claim() throws -> Authenticator.Claim? { try fixture.authenticator.claimAtHand(request) }

    @Test("The second request with a target has the first's claim") func kept() throws {
        let first = try #require(try claim())
        let second = try #require(try claim())
        #expect(request.request.memory.value is KnownClaim)
        #expect(first.user != nil && first.user == second.user)
    }

    @Test("A revoked API token no longer admits a known target") func revokedToken() async throws {
        #expect(try claim() != nil)
        let token = try #require(try await fixture.accounts.reader().apiToken(apiToken))
        try await fixture.accounts.apiTokens.revoke(id: token.id)
        #expect(try claim() == nil)
    }

    @Test("Sessions that another process ends no longer admit a known target") func revokedSession() async throws {
        #expect(try claim() != nil)
        _ = try await fixture.open().sessions.revokeAll(email: "a@example.com")
        _ = try await fixture.accounts.reader()
        #expect(try claim() == nil)
    }

    @Test("A target in use keeps its session alive beyond the session's first end") func extended() async throws {
        for _ in 0..<8 {
            fixture.pass(seconds: 5 * 60)
            #expect(try claim() != nil)
        }
        fixture.pass(seconds: 31 * 60)
        #expect(try claim() == nil)
    }

    @Test("A known target with the headers of a signature is not admitted by its tokens") func signed() throws {
        #expect(try claim() != nil)
        let name = try #require(HTTPField.Name("X-Apple-CloudKit-Request-KeyID"))
        let signed = CredentialedRequest(
            Self.request(request.request, [name: "k"]), request.place, request.scope)
        #expect(signed.request.memory === request.request.memory)
        #expect(try fixture.authenticator.claimAtHand(signed) == nil)
    }

    @Test("A target is not admitted to another database than the remembered claim's") func scope() throws {
        #expect(try claim() != nil)
        let elsewhere = CredentialedRequest(
            request.request, RequestPlace(container: "c", environment: .production), request.scope)
        #expect(try fixture.authenticator.claimAtHand(elsewhere) == nil)
    }

    @Test("An API token for certain origins is checked at each request") func origins() async throws {
        let token = try await fixture.apiToken(origins: ["https://a.example"])
        let base = AuthenticationFixture.request(
            query: "ckAPIToken=\(token)", headers: [.origin: "https://a.example"])
        _ = try await fixture.authenticator.identify(base)
        #expect(try fixture.authenticator.claimAtHand(base) != nil)
        let other = CredentialedRequest(
            Self.request(base.request, [.origin: "https://b.example"]), base.place, base.scope)
        #expect(other.request.memory === base.request.memory)
        #expect(throws: ServerError.self) { try fixture.authenticator.claimAtHand(other) }
    }
}
