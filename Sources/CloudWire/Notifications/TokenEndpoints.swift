package import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudStore
import Foundation

/// The endpoints under `tokens/` (reference B §7.2, §7.3), one file per endpoint.
package enum TokenEndpoints {}

/// Server data for tokens: public origin, lifetime and stores.
package struct PushContext: Sendable {
    package let origin: String
    package let lifetime: Duration
    package let stores: ContainerStores
}

extension DatabaseCall {
    /// Parses the client's registration.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` without a user: notifications belong to a user.
    func pushRegistration() throws -> PushRegistration {
        let user = try signedInName()
        let names = PushEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
        guard let name = try body.optionalText("apnsEnvironment") else {
            throw ServerError.badRequest("apnsEnvironment is missing; it must be \(known: names)")
        }
        guard let apnsEnvironment = PushEnvironment(rawValue: name) else {
            throw ServerError.badRequest("apnsEnvironment must be \(known: names), not '\(name.prefix(100))'")
        }
        return PushRegistration(
            container: identity.container.id, environment: identity.environment, user: user,
            clientID: try pushClientID(), apnsEnvironment: apnsEnvironment)
    }

    /// The client's self-assigned ID, from the body in either spelling or from the query.
    private func pushClientID() throws(ServerError) -> String? {
        let spelled = try body.optionalText("clientId")
        let id = if let spelled { spelled } else { try body.optionalText("clientID") ?? options.clientID }
        return try ClientID.checked(id)
    }

    /// Applies the outcome of a registration to this environment's store, and answers the request.
    ///
    /// - Parameters:
    ///   - token: the token for the courier URL.
    ///   - sent: the token to return instead; nil for `token`.
    package func respond(
        _ token: String, _ outcome: PushRegistration.Outcome, _ registration: PushRegistration,
        answering sent: String? = nil
    ) async throws -> JSONWriter {
        let device = Device(
            token: outcome.token, user: registration.user, clientID: registration.clientID,
            expires: outcome.expires)
        if let predecessor = outcome.predecessor {
            try await store.devices.register(device, replacing: predecessor)
        } else {
            try await store.devices.register(device)
        }
        for place in outcome.elsewhere {
            try await push.stores.store(container: place.container, environment: place.environment)
                .devices.register(place.device(token: outcome.token, expires: outcome.expires))
        }
        for dropped in outcome.dropped { try await store.devices.remove(token: dropped) }
        // Wakes the waiters of removed tokens, which end, and of this token, which read the new registration.
        let widened = outcome.elsewhere.isEmpty ? nil : outcome.token
        push.stores.noteRegistrations(of: Set(outcome.dropped + [outcome.predecessor, widened].compactMap(\.self)))
        var writer = JSONWriter(capacity: 512)
        writer.object {
            $0.member("apnsEnvironment", registration.apnsEnvironment.rawValue)
            $0.member("apnsToken", sent ?? token)
            $0.member("webcourierURL", "\(push.origin)/aps?tok=\(token)&ttl=\(push.lifetime.components.seconds)")
        }
        return writer
    }
}
