import CloudModel
import CloudStore

extension TokenEndpoints {
    /// `tokens/create`: a fresh token. What waits for the one that the same client had before is for this one now.
    package static let create: Endpoint = { call in try await create(call.pushRegistration(), call) }

    /// - Parameter sent: the token to answer; nil for the fresh one.
    static func create(
        _ registration: PushRegistration, _ call: DatabaseCall, answering sent: String? = nil
    ) async throws -> JSONWriter {
        let (text, outcome) = try await call.accounts.createPushToken(
            for: registration, lifetime: call.push.lifetime, most: call.limits.pushTokensPerUser)
        return try await call.respond(text, outcome, registration, answering: sent)
    }
}
