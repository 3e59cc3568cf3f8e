package import CloudModel
import CloudStore

/// Operations on API tokens, with which apps call the API.
package enum APITokenOperations {
    package static let list = AdminOperation<Page<APITokenInfo>>(
        .get, "tokens", .operations, takes: ["container", "after", "limit"]
    ) { call in
        let tokens = try await call.accounts.apiTokens.list(container: try call.arguments.optionalText("container"))
        return try call.arguments.page(of: tokens.map { APITokenInfo($0) }) {
            ListPlace($0.container, ListPlace.number($0.id))
        }
    }

    /// Makes an API token; only this answer contains its text.
    package static let create = AdminOperation<APITokenInfo>(
        .post, "tokens", .operations,
        takes: ["container", "environment", "name", "allowedOrigins", "signInCallback"],
        audit: .change("created an API token")
    ) { call in
        let arguments = call.arguments
        let (text, token) = try await call.accounts.apiTokens.create(
            container: try arguments.text("container"), environment: try arguments.environment(),
            name: try arguments.text("name"), allowedOrigins: try arguments.texts("allowedOrigins"),
            signInCallback: try arguments.optionalText("signInCallback"), maker: call.identity.maker)
        return APITokenInfo(token, text: text)
    }

    /// Revokes an API token and ends its sessions.
    package static let revoke = AdminOperation<Done>(
        .delete, "tokens/{id}", .operations, audit: .change("revoked an API token")
    ) { call in
        try await call.accounts.apiTokens.revoke(id: try call.arguments.id())
        return Done()
    }
}

package struct APITokenInfo: Codable, Hashable, Sendable {
    package let id: Int64
    /// The token's text, present only in the answer that creates it.
    package let token: String?
    /// The first characters of the token's text.
    package let hint: String
    package let container: String
    package let environment: ContainerEnvironment
    package let name: String
    package let allowedOrigins: [String]
    package let signInCallback: String?
    package let created: Timestamp

    init(_ token: APIToken, text: String? = nil) {
        id = token.id
        self.token = text
        hint = token.hint
        container = token.containerName
        environment = token.environment
        name = token.name
        allowedOrigins = token.allowedOrigins
        signInCallback = token.signInCallback
        created = token.created
    }
}

/// An empty answer that confirms success.
package struct Done: Codable, Hashable, Sendable {}

/// The number of affected objects.
package struct Count: Codable, Hashable, Sendable {
    package let count: Int
}
