import CloudAccounts
package import CloudHTTP
package import CloudModel
import CloudServer
import NIOCore
import Testing

/// An app with an API token, which signs people in with identity tokens.
package struct NativeApp: Sendable {
    package let stage: ProviderStage
    package let apiToken: String
    /// The provider's name on the server.
    package var provider = "id"
    /// The id for which the app gets tokens.
    package var client: String
    /// Headers of each sign-in.
    package var headers: HTTPFields = [:]

    package init(
        _ stage: ProviderStage, audiences: [String], client: String? = nil, provider: String = "id",
        container: String = "c", environment: ContainerEnvironment = .production
    ) async throws {
        self.stage = stage
        self.provider = provider
        self.client = client ?? audiences.first ?? ""
        apiToken = try await stage.accounts.apiTokens.create(
            container: container, environment: environment, name: "app", audiences: audiences
        ).text
    }

    /// A nonce of the server, raw and hashed.
    package func nonce() async throws -> (raw: String, hashed: String) {
        let answer = try await stage.server.send(.post, "/auth/exchange/nonce?ckAPIToken=\(apiToken)")
        return (answer["nonce"]?.string ?? "", answer["hashedNonce"]?.string ?? "")
    }

    /// Signs in with a token that the provider makes now for a fresh nonce.
    package func signIn(_ fields: [String: JSONValue] = [:]) async throws -> Answer {
        let nonce = try await nonce()
        return try await send(stage.provider.idToken(for: client, nonce: nonce.hashed), nonce.raw, fields)
    }

    package func send(
        _ idToken: String, _ nonce: String, _ fields: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let usual: [String: JSONValue] = [
            "provider": .string(provider), "idToken": .string(idToken), "nonce": .string(nonce),
        ]
        return try await post(usual.merging(fields) { $1 })
    }

    package func post(_ body: [String: JSONValue]) async throws -> Answer {
        let object = JSONObject(body.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
        var writer = JSONWriter()
        writer.value(.object(object))
        return try await stage.server.send(
            .post, "/auth/exchange?ckAPIToken=\(apiToken)", headers: headers, body: ByteBuffer(bytes: writer.bytes))
    }
}
