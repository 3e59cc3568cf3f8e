@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import TestCloud
import CloudModel
import Foundation
import Testing

/// Reference B §3.9, row by row.
struct DecisionTableTests {
    let fixture: AuthenticationFixture

    init() throws {
        fixture = try AuthenticationFixture()
    }

    @Test("A request without credentials is refused", arguments: DatabaseScope.allCases)
    func noCredentials(scope: DatabaseScope) async throws {
        _ = try await fixture.apiToken()
        #expect(try await fixture.refusal(.development, scope) == .authenticationFailed)
    }

    @Test("An unknown API token is refused", arguments: DatabaseScope.allCases)
    func unknownAPIToken(scope: DatabaseScope) async throws {
        _ = try await fixture.apiToken()
        for token in [String(repeating: "a", count: 64), "x", DevelopmentToken.text] {
            #expect(
                try await fixture.refusal(.development, scope, query: "ckAPIToken=\(token)") == .authenticationFailed)
        }
    }

    @Test("A web auth token without an API token is refused", arguments: DatabaseScope.allCases)
    func tokenAlone(scope: DatabaseScope) async throws {
        let token = try await fixture.webAuthToken()
        #expect(
            try await fixture.refusal(.development, scope, query: "ckWebAuthToken=\(token)") == .authenticationFailed)
    }

    @Test("In the public database an API token alone acts as _world") func publicAPIToken() async throws {
        let token = try await fixture.apiToken()
        let identity = try await fixture.identify(query: "ckAPIToken=\(token)")
        #expect(identity.caller == .world)
        #expect(identity.container.name == "c")
        #expect(identity.rotatedToken == nil)
    }

    @Test("In other databases an API token alone must sign in", arguments: [DatabaseScope.private, .shared])
    func otherAPIToken(scope: DatabaseScope) async throws {
        let token = try await fixture.apiToken()
        #expect(try await fixture.refusal(.development, scope, query: "ckAPIToken=\(token)") == .authenticationRequired)
    }

    @Test("An API token with a web auth token acts as the user", arguments: DatabaseScope.allCases)
    func bothTokens(scope: DatabaseScope) async throws {
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken=\(try await fixture.webAuthToken())"
        for _ in 0..<3 {
            let identity = try await fixture.identify(.development, scope, query: query)
            guard case .user(let name) = identity.caller else {
                Issue.record("\(identity.caller)")
                return
            }
            #expect(name.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil)
            #expect(identity.rotatedToken == QueryString(query).webAuthToken)
        }
    }

    @Test("A caller with a bad web auth token is asked to sign in", arguments: DatabaseScope.allCases)
    func badSession(scope: DatabaseScope) async throws {
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken=1__1__bad"
        #expect(try await fixture.refusal(.development, scope, query: query) == .authenticationRequired)
    }

    @Test("A caller with an expired web auth token is asked to sign in") func expiredSession() async throws {
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken=\(try await fixture.webAuthToken())"
        fixture.pass(seconds: 1801)
        #expect(try await fixture.refusal(query: query) == .authenticationRequired)
    }

    @Test("Using a session prolongs it") func prolonged() async throws {
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken=\(try await fixture.webAuthToken())"
        for _ in 0..<5 {
            fixture.pass(seconds: 1700)
            #expect(try await fixture.refusal(query: query) == nil)
        }
    }

    @Test("A disabled user is asked to sign in") func disabledUser() async throws {
        let query = "ckAPIToken=\(try await fixture.apiToken())&ckWebAuthToken=\(try await fixture.webAuthToken())"
        #expect(try await fixture.refusal(query: query) == nil)
        _ = try await fixture.accounts.users.setDisabled(true, email: "a@example.com")
        #expect(try await fixture.refusal(query: query) == .authenticationRequired)
    }

    @Test("A web auth token is refused in another container or environment")
    func sessionScope() async throws {
        let here = try await fixture.webAuthToken()
        let production = try await fixture.apiToken(.production)
        let elsewhere = try await fixture.apiToken(container: "d")
        #expect(
            try await fixture.refusal(.production, query: "ckAPIToken=\(production)&ckWebAuthToken=\(here)")
                == .authenticationRequired)
        #expect(
            try await fixture.refusal(container: "d", query: "ckAPIToken=\(elsewhere)&ckWebAuthToken=\(here)")
                == .authenticationRequired)
    }

    @Test("An API token is refused in another container or environment")
    func apiTokenScope() async throws {
        let token = try await fixture.apiToken()
        _ = try await fixture.apiToken(container: "d")
        #expect(try await fixture.refusal(.production, query: "ckAPIToken=\(token)") == .authenticationFailed)
        #expect(try await fixture.refusal(container: "d", query: "ckAPIToken=\(token)") == .authenticationFailed)
    }

    @Test("An unknown container is answered like an unknown API token", arguments: ["nowhere", "a/b", "", "../etc"])
    func unknownContainer(name: String) async throws {
        let token = try await fixture.apiToken()
        #expect(try await fixture.refusal(container: name, query: "ckAPIToken=\(token)") == .authenticationFailed)
        #expect(try await fixture.accounts.containers.all().count == 1)
    }

    @Test(
        "An API token with allowed origins is refused elsewhere",
        arguments: [
            ("https://app.example.com", nil), ("https://APP.example.com:443", nil),
            ("https://evil.example.com", .accessDenied), ("http://app.example.com", .accessDenied),
            ("null", .accessDenied), (nil, .accessDenied),
        ] as [(String?, ServerError.Code?)])
    func origins(origin: String?, expected: ServerError.Code?) async throws {
        let token = try await fixture.apiToken(origins: ["https://app.example.com"])
        var headers = HTTPFields()
        headers[.origin] = origin
        #expect(try await fixture.refusal(query: "ckAPIToken=\(token)", headers: headers) == expected)
    }
}
