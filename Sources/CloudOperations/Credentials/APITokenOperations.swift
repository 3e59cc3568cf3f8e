import CloudAccounts
package import CloudModel

/// Operations on API tokens, with which apps call the API.
package enum APITokenOperations {
    package static let list = AdminOperation<ContainerPage, Page<APITokenInfo>>(
        .get("tokens", .operations), OperationText("listAPITokens", "The API tokens.")
    ) { call, input in
        let tokens = try await call.accounts.apiTokens.list(container: input.container)
        return try input.page.page(of: tokens.map { APITokenInfo($0) }) {
            ListPlace($0.container, ListPlace.number($0.id))
        }
    }

    /// Makes an API token; only this answer contains its text.
    package static let create = AdminOperation<NewAPIToken, APITokenInfo>(
        .post("tokens", .operations), OperationText("createAPIToken", "Create an API token."),
        audit: .change("created an API token")
    ) { call, input in
        let (text, token) = try await call.accounts.apiTokens.create(
            container: input.place.container, environment: input.place.environment,
            name: input.name, allowedOrigins: input.allowedOrigins,
            signInCallback: input.signInCallback, audiences: input.audiences, maker: call.identity.maker)
        return APITokenInfo(token, text: text)
    }

    package static let revoke = AdminOperation<RowChoice, Done>(
        .delete("tokens/{id}", .operations),
        OperationText("revokeAPIToken", "Revoke an API token and end the sessions begun with it."),
        audit: .change("revoked an API token")
    ) { call, input in
        try await call.accounts.apiTokens.revoke(id: input.id)
        return Done()
    }
}

package struct NewAPIToken: OperationInput {
    package let place: EnvironmentAddress
    package let name: String
    package let allowedOrigins: [String]
    package let signInCallback: String?
    package let audiences: [String]

    package static let fields = InputFields(
        Self.init, .group(\.place), .text("name", \.name, "A name to know it by."),
        .texts(
            "allowedOrigins", \.allowedOrigins,
            "An origin whose pages may use it, such as https://app.example.com. Repeat for more; any if none."),
        .text(
            "signInCallback", \.signInCallback,
            """
            URL the browser goes to after sign-in, instead of telling the page that opened it: https, an app's own \
            scheme, or http on this machine's loopback.
            """),
        .texts(
            "audiences", \.audiences,
            "A client id or bundle id of the app, whose identity tokens sign people in. Repeat for more; none if none.")
    )
}

package struct APITokenInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminAPIToken", "An API token.",
        [
            "token": "The token's text, present only in the answer that creates it.",
            "hint": "The first characters of the token's text.",
            "audiences": "Client ids and bundle ids of the app, whose identity tokens sign people in.",
        ])

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
    /// Client ids and bundle ids of the app, whose identity tokens sign people in.
    package let audiences: [String]
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
        audiences = token.audiences
        created = token.created
    }
}

/// An empty answer that confirms success.
package struct Done: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminDone", "An empty answer that confirms success.")
}

/// The number of affected objects.
package struct Count: Codable, Hashable, OperationAnswer, DocumentedValue {
    package static let about = AnswerText(
        "AdminCount", "The number of affected objects.")

    package let count: Int
}
