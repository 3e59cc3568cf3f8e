import CloudAccounts
import CloudModel
import CloudCrypto
import Foundation

extension TokenEndpoints {
    private static let longestToken = 1024

    /// `tokens/register`: registers an existing token here too. An expired token of this server is replaced by a new one.
    /// A device's APNs token is returned unchanged, with a courier URL of its own: the server pushes nothing to APNs.
    package static let register: Endpoint = { call in
        let registration = try call.pushRegistration()
        guard let token = try call.body.optionalText("apnsToken"), !token.isEmpty else {
            throw ServerError.badRequest("apnsToken is missing")
        }
        guard token.utf8.count <= longestToken else {
            throw ServerError.badRequest(
                "apnsToken has \(token.utf8.count) bytes, at most \(longestToken) are allowed", .limit(longestToken))
        }
        let outcome = try await call.accounts.pushTokens.register(
            token, for: registration, lifetime: call.push.lifetime, most: call.limits.notifications.tokensPerUser)
        if let outcome { return try await call.respond(token, outcome, registration) }
        let isOurs = PushToken.isOurs(token)
        return try await create(registration.named(after: token), call, answering: isOurs ? nil : token)
    }
}

extension PushRegistration {
    /// Without a client ID, a digest of the token identifies the client across registrations.
    fileprivate func named(after token: String) -> PushRegistration {
        guard clientID == nil else { return self }
        let digest = SHA256.hash(data: Data(token.utf8)).map { String(format: "%02x", $0) }.joined()
        return PushRegistration(
            container: container, environment: environment, user: user, clientID: digest,
            apnsEnvironment: apnsEnvironment)
    }
}
