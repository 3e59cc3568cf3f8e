package import CloudAccounts
package import CloudModel

extension TokenEndpoints {
    /// `tokens/create`: a new token. It takes over the queue of the client's previous token.
    package static let create: Endpoint = { call in try await create(call.pushRegistration(), call) }

    /// - Parameter sent: the token to return; nil for the new token.
    package static func create(
        _ registration: PushRegistration, _ call: DatabaseCall, answering sent: String? = nil
    ) async throws -> JSONWriter {
        let (text, outcome) = try await call.accounts.pushTokens.create(
            for: registration, lifetime: call.push.lifetime, most: call.limits.notifications.tokensPerUser)
        return try await call.respond(text, outcome, registration, answering: sent)
    }
}
