package import CloudAccounts
import CloudCrypto
import CloudHTTP
import CloudIdentity
import CloudModel
package import CloudServer
import CloudWire
import Foundation
package import Logging
import Synchronization
import Testing

/// A server with a provider of sign-in, and people with browsers.
package struct ProviderStage: Sendable {
    package let fixture: SignInFixture
    package let provider: TestProvider
    package var server: TestServer { fixture.server }
    package var accounts: AccountStore { server.accounts }

    package static func run(
        configure: (inout ServerConfiguration) -> Void = { _ in }, logger: Logger = TestServer.silent,
        provider change: @escaping @Sendable (inout SignInProvider) -> Void = { _ in },
        _ body: @escaping @Sendable (ProviderStage) async throws -> Void
    ) async throws {
        try await SignInFixture.run(configure: configure, logger: logger) { fixture in
            try await TestProvider.run(now: fixture.server.accounts.now) { provider in
                let stage = ProviderStage(fixture: fixture, provider: provider)
                try await stage.add("id", change)
                try await body(stage)
            }
        }
    }

    /// A server with a provider that stands in for Apple, whose clock is the server's.
    package static func runApple(
        logger: Logger = TestServer.silent, _ body: @escaping @Sendable (ProviderStage) async throws -> Void
    ) async throws {
        let clock = Mutex<Now>({ Timestamp(wholeSeconds: 0) })
        try await TestProvider.run(as: AppleClientSecret.issuer, now: { clock.withLock(\.self)() }) { provider in
            try await SignInFixture.run(
                configure: { $0.providers.standIns[AppleClientSecret.issuer] = provider.address }, logger: logger
            ) { fixture in
                clock.withLock { $0 = fixture.server.accounts.now }
                let stage = ProviderStage(fixture: fixture, provider: provider)
                var entry = SignInProvider(name: "apple", kind: .apple, clientID: Self.webClient)
                entry.appleKey = SignInProvider.AppleKeyName(team: "TEAM123456", key: "KEY1234567")
                entry.nativeAudiences = [Self.appClient]
                _ = try await stage.accounts.providers.add(
                    entry, secret: ProviderSecret(Self.appleKey))
                try await body(stage)
            }
        }
    }

    /// The text of a `.p8` file, which signs for nobody.
    private static let appleKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgPKQbzeKFL7yAhxtW
        ZmuSAFgr3eJj5RjZy6LIY84O2oahRANCAATEcjEOu0unSWdpA+XHXitLThCw9eEx
        6LtuHCnQeB2bjstVNFr/PKk7PSScVgxcoa/cQIuRbUgUaVBYqwrpOO/U
        -----END PRIVATE KEY-----
        """

    /// A Services ID, and the bundle id of an app.
    package static let webClient = "com.example.web"
    package static let appClient = "com.example.app"

    /// Adds an entry for the provider.
    package func add(_ name: String, _ change: (inout SignInProvider) -> Void = { _ in }) async throws {
        var entry = SignInProvider(name: name, kind: .oidc, clientID: TestProvider.client, issuer: provider.issuer)
        entry.title = "Example"
        entry.allowsHTTP = true
        change(&entry)
        _ = try await accounts.providers.add(entry, secret: ProviderSecret(TestProvider.secret))
    }

    /// Begins a sign-in: the address at the provider.
    package func begin(_ visitor: WebVisitor, _ target: String = "/auth/with/id") async throws -> String {
        let answer = try await visitor.open(target)
        return try #require(answer.status == 303 ? answer.headers[.location] : nil)
    }

    /// Agrees at the provider: the path of the answer on this server.
    package func agree(_ address: String) throws -> String {
        let parts = try #require(URLComponents(string: provider.agree(address)))
        return parts.percentEncodedPath + "?" + (parts.percentEncodedQuery ?? "")
    }

    /// Signs in as a person does.
    package func signIn(_ visitor: WebVisitor, _ target: String = "/auth/with/id") async throws -> Answer {
        try await visitor.open(try agree(try await begin(visitor, target)))
    }

    /// Connects the provider's person to an account.
    package func connect(_ account: UserAccount, subject: String = "person") async throws {
        let person = ProvenPerson(provider: "id", issuer: provider.issuer, subject: subject)
        let ticket = SignInTicket(id: "connection of \(subject)", expires: accounts.now() + .seconds(60))
        #expect(try await accounts.identities.connect(person, to: account.id, redeeming: ticket) == nil)
    }

    /// The account that a browser is signed in to; nil for none.
    package func account(_ visitor: WebVisitor) async throws -> UserAccount? {
        guard let token = visitor.cookie("cumulus_session") else { return nil }
        return try await accounts.browserLogins.find(token)?.account
    }
}

extension ProviderStage {
    /// The name of the cookie of an attempt.
    package static func cookie(of state: String) -> String? {
        "cumulus_with_" + Base64URL.encode(Array(SHA256.hash(data: Array(state.utf8))).prefix(12))
    }
}
