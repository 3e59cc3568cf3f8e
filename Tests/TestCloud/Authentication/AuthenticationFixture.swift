package import CloudAccounts
package import CloudEngine
package import CloudHTTP
package import CloudWire
package import CloudModel
import Foundation
import Logging
import NIOCore
import Synchronization
import TestEngine

/// A data folder of its own with an authenticator over it, and a clock that stands until it is moved.
package final class AuthenticationFixture: Sendable {
    package let folder: DataFolder
    package let accounts: AccountStore
    package let authenticator: Authenticator
    private let clock: Clock

    package init(dev: Bool = false, publicURL: String? = nil, now: Timestamp = Timestamp(wholeSeconds: 1_700_000_000))
        throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)").path()
        let clock = Clock(now)
        folder = try DataFolder(path: path, engine: TestEngine()) { clock.time.withLock(\.self) }
        accounts = try AccountStore(folder: folder, passwordCost: TestEngine.passwordCost)
        var settings = HTTPSettings()
        settings.dev = dev
        settings.publicURL = publicURL
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        authenticator = try Authenticator(accounts: accounts, settings, signatureWindow: .seconds(600))
        self.clock = clock
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    /// The same accounts by the same clock, as another process would open them.
    package func open() throws -> AccountStore {
        try AccountStore(folder: folder, passwordCost: TestEngine.passwordCost)
    }

    package func pass(seconds: Double) {
        clock.time.withLock { $0 = $0 + .seconds(seconds) }
    }

    package func identify(
        container: String = "c", _ environment: ContainerEnvironment = .development, _ scope: DatabaseScope = .public,
        query: String = "", headers: HTTPFields = [:], target: String = "/", body: String = ""
    ) async throws -> Identity {
        try await authenticator.identify(
            Self.request(container, environment, scope, query: query, headers: headers, target: target)
        ).identity(for: ByteBuffer(string: body))
    }

    package static func request(
        _ container: String = "c", _ environment: ContainerEnvironment = .development,
        _ scope: DatabaseScope = .public, query: String = "", headers: HTTPFields = [:], target: String = "/"
    ) -> CredentialedRequest {
        let target = query.isEmpty ? target : "\(target)?\(query)"
        let head = HTTPRequest(method: .post, authority: "a", path: target, headerFields: headers)
        return CredentialedRequest(
            Request(head: head), RequestPlace(container: container, environment: environment), scope)
    }

    /// The code a request is refused with; nil when it is let in.
    package func refusal(
        container: String = "c", _ environment: ContainerEnvironment = .development, _ scope: DatabaseScope = .public,
        query: String = "", headers: HTTPFields = [:], target: String = "/", body: String = ""
    ) async throws -> ServerError.Code? {
        do {
            _ = try await identify(
                container: container, environment, scope, query: query, headers: headers, target: target, body: body)
            return nil
        } catch let error as ServerError {
            return error.code
        }
    }

    /// An API token of container `c`, made with the container if need be.
    package func apiToken(
        _ environment: ContainerEnvironment = .development, container: String = "c", origins: [String] = []
    ) async throws -> String {
        _ = try await accounts.containers.ensure(name: container)
        return try await accounts.apiTokens.create(
            container: container, environment: environment, name: "web", allowedOrigins: origins
        ).text
    }

    /// A web auth token, percent-encoded for a query.
    package func webAuthToken(
        _ environment: ContainerEnvironment = .development, container: String = "c", email: String = "a@example.com"
    ) async throws -> String {
        if try await accounts.users.find(email: email) == nil {
            _ = try await accounts.users.create(email: email, givenName: "Mei", familyName: "Chen")
        }
        let container = try await accounts.containers.ensure(name: container)
        let token = try await accounts.sessions.create(email: email, container: container, environment: environment)
            .token
        return token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
    }
}

private final class Clock: Sendable {
    let time: Mutex<Timestamp>

    init(_ now: Timestamp) {
        time = Mutex(now)
    }
}
