import CloudAccounts
import CloudHTTP
package import CloudServer
package import CloudModel
import Foundation
package import Logging
package import Synchronization
import Testing

/// A server that is not for development, with a container, an account and a clock that stands until it is moved.
package struct SignInFixture: Sendable {
    package static let email = "mei@example.com"
    package static let password = "correct horse"

    package let server: TestServer
    /// The origin that browsers name.
    package var origin = "http://localhost"
    private let clock: Clock

    package final class Clock: Sendable {
        package let time = Mutex(Timestamp(wholeSeconds: 1_700_000_000))
    }

    package static func run(
        dev: Bool = false, configure: (inout ServerConfiguration) -> Void = { _ in },
        logger: Logger = TestServer.silent,
        _ body: @Sendable (SignInFixture) async throws -> Void
    ) async throws {
        let clock = Clock()
        try await TestServer.run(dev: dev, configure: configure, clock: { clock.time.withLock(\.self) }, logger: logger)
        {
            server in
            _ = try await server.accounts.containers.create(name: "c")
            _ = try await server.accounts.users.create(email: email, givenName: "Mei", familyName: "<Chen>")
            _ = try await server.accounts.users.setPassword(password, email: email)
            try await body(SignInFixture(server: server, clock: clock))
        }
    }

    /// The same server, reached by another origin.
    package func at(_ origin: String) -> SignInFixture {
        var fixture = self
        fixture.origin = origin
        return fixture
    }

    package func pass(seconds: Double) {
        clock.time.withLock { $0 = $0 + .seconds(seconds) }
    }

    /// An app with an API token of its own.
    package func app(origins: [String] = [], callback: String? = nil) async throws -> App {
        var app = server.app("c", environment: "production")
        app.apiToken = try await server.accounts.apiTokens.create(
            container: "c", environment: .production, name: "web", allowedOrigins: origins, signInCallback: callback
        ).text
        return app
    }

    /// The link that an app gets which asks who the user is.
    package func link(_ app: App, origin: String? = "https://app.example") async throws -> String {
        var headers: HTTPFields = [:]
        headers[.origin] = origin
        let answer = try await server.send(.get, app.target("public/users/caller"), headers: headers)
        #expect(answer.status == 421)
        return try #require(answer["redirectURL"]?.string)
    }

    /// Signs in by a link, as a person does.
    package func signIn(
        _ visitor: WebVisitor, _ link: String, password: String = password, fields: [String: String] = [:]
    ) async throws -> Answer {
        #expect(try await visitor.open(link).status == 200)
        return try await visitor.submit(
            "/auth/signin",
            ["email": Self.email, "password": password, "action": "signin"].merging(fields) { $1 })
    }
}

/// The values that a page hands to the page that opened it.
package struct Handover {
    package let origin: String
    package let items: [String: String]

    package init?(_ page: String) {
        guard let origin = page.firstMatch(of: #/data-origin="([^"]*)"/#)?.output.1 else { return nil }
        self.origin = String(origin)
        items = Dictionary(
            uniqueKeysWithValues: page.matches(of: #/<data data-name="([^"]*)" value="([^"]*)">/#).map {
                (String($0.output.1), String($0.output.2))
            })
    }
}
