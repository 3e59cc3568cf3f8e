import CloudAccounts
import CloudHTTP
import CloudModel
import Synchronization
import TestCloud
import TestStore

@testable import CloudWire

/// Accounts, and a provider on the loopback that answers as a test says.
struct ProviderBench: Sendable {
    /// What the provider answers at each path, and how often it was asked.
    final class Stub: Sendable {
        private let answers = Mutex<[String: Response]>([:])
        private let counts = Mutex<[String: Int]>([:])
        private let last = Mutex<[String: Delivery]>([:])
        /// Closed while answers are held back.
        private let gate = Mutex<AsyncStream<Void>?>(nil)

        func set(_ path: String, _ text: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) {
            answers.withLock {
                $0[path] = Response(status: status, headers: headers, body: ResponseBody(bytes: Array(text.utf8)))
            }
        }

        /// Holds answers back until the continuation is finished. Each is the answer set when its request came.
        func hold() -> AsyncStream<Void>.Continuation {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            gate.withLock { $0 = stream }
            return continuation
        }

        func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }
        func delivery(_ path: String) -> Delivery? { last.withLock { $0[path] } }

        func reply(_ delivery: Delivery) async -> Response {
            let answer = answers.withLock { $0[delivery.path] } ?? Response(status: .notFound)
            counts.withLock { $0[delivery.path, default: 0] += 1 }
            last.withLock { $0[delivery.path] = delivery }
            if let gate = gate.withLock(\.self) { for await _ in gate {} }
            return answer
        }
    }

    static let discovery = "/.well-known/openid-configuration"
    static let keys = #"{"keys": []}"#

    let fixture: AccountFixture
    let accounts: AccountStore
    let stub = Stub()

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    func run(_ body: @escaping @Sendable (_ origin: String) async throws -> Void) async throws {
        try await Receiver.run({ [stub] delivery, _ in await stub.reply(delivery) }) { receiver in
            try await body(receiver.url(""))
        }
    }

    func provider(_ origin: String) async throws -> SignInProvider {
        var provider = SignInProvider(name: "work", kind: .oidc, clientID: "my client", issuer: origin)
        provider.allowsHTTP = true
        return try await accounts.providers.add(provider, secret: ProviderSecret("a:b"))
    }

    static func document(_ origin: String, issuer: String? = nil, more: String = "") -> String {
        """
        {"issuer": "\(issuer ?? origin)", "authorization_endpoint": "\(origin)/authorize",
        "token_endpoint": "\(origin)/token", "jwks_uri": "\(origin)/keys",
        "userinfo_endpoint": "\(origin)/userinfo"\(more)}
        """
    }

    static func fault(_ body: () async throws -> Void) async -> ProviderFault? {
        do { try await body() } catch { return error as? ProviderFault }
        return nil
    }
}
