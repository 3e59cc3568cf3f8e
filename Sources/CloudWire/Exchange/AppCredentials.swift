import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudModel

/// An app, by the API token of its request.
struct AppCredentials: Sendable {
    let place: AppPlace
    let containerName: String
    /// Client ids and bundle ids of the app; nil for those of the provider, as the development token has.
    let audiences: [String]?

    /// The place of a session that the app begins.
    func session(persistent: Bool) -> SessionPlace {
        SessionPlace(
            container: place.container, environment: place.environment,
            apiToken: place.apiToken == DevelopmentToken.id ? nil : place.apiToken, persistent: persistent)
    }
}

extension Authenticator {
    /// The API token of a request outside of the databases; nil for the development token.
    ///
    /// - Throws: `AUTHENTICATION_FAILED` without a known token, `ACCESS_DENIED` for a page of another origin.
    func apiToken(of request: Request) async throws -> APIToken? {
        guard let text = request.parameters.apiToken else {
            throw ServerError(.authenticationFailed, "ckAPIToken is missing", .credentials(.noAPIToken))
        }
        if DevelopmentToken.works(text, dev: dev, environment: .development) { return nil }
        guard let token = try await accounts.reader().apiToken(text) else {
            throw ServerError(.authenticationFailed, "ckAPIToken is not known", .credentials(.unknownAPIToken))
        }
        try check(origin: request.headers[.origin], for: token)
        return token
    }

    /// The app of an API token. The body may name container and environment; the development token has no others.
    ///
    /// - Throws: `AUTHENTICATION_FAILED` if the body names others than the token's.
    func app(of token: APIToken?, _ body: JSONObject) async throws -> AppCredentials {
        let name = try ExchangeRequest.optional("container", in: body, atMost: 255)
        let environment = try Self.environment(in: body)
        guard let token else { return try await developmentApp(name, environment) }
        guard name == nil || name == token.containerName else {
            throw ServerError(
                .authenticationFailed, "container: the API token is of another container",
                .credentials(.apiTokenOfAnotherContainer))
        }
        guard environment == nil || environment == token.environment else {
            throw ServerError(
                .authenticationFailed, "environment: the API token is of another environment",
                .credentials(.apiTokenOfAnotherEnvironment))
        }
        return AppCredentials(
            place: AppPlace(container: token.container, environment: token.environment, apiToken: token.id),
            containerName: token.containerName, audiences: token.audiences)
    }

    private func developmentApp(_ name: String?, _ environment: ContainerEnvironment?) async throws -> AppCredentials {
        guard let name else {
            throw ServerError.badRequest("container: missing; the development token is for every container")
        }
        guard environment ?? .development == .development else {
            throw ServerError(
                .authenticationFailed, "environment: the development token is for development",
                .credentials(.apiTokenOfAnotherEnvironment))
        }
        try Container.check(name: name)
        let container = try await accounts.containers.ensure(name: name)
        return AppCredentials(
            place: AppPlace(container: container.id, environment: .development, apiToken: DevelopmentToken.id),
            containerName: name, audiences: nil)
    }

    private static func environment(in body: JSONObject) throws -> ContainerEnvironment? {
        guard let text = try ExchangeRequest.optional("environment", in: body, atMost: 32) else { return nil }
        guard let environment = ContainerEnvironment(rawValue: text.lowercased()) else {
            throw ServerError.badRequest("environment: must be 'development' or 'production'")
        }
        return environment
    }
}
