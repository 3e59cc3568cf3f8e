import CloudModel
import CloudStore
import Foundation

/// The endpoints under `tokens/` (reference B §7.2, §7.3), one file per endpoint.
package enum TokenEndpoints {}

/// The data that tokens need beyond a call: where they are good, and for how long.
package struct PushContext: Sendable {
    let origin: String
    let lifetime: Duration
    let stores: ContainerStores
}

extension DatabaseCall {
    /// The registration that a client asks for.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` when nobody is signed in, since notifications are somebody's.
    func pushRegistration() throws -> PushRegistration {
        let user = try signedInName()
        let names = PushEnvironment.allCases.map(\.rawValue).joined(separator: " or ")
        guard let name = try text("apnsEnvironment", in: body) else {
            throw ServerError.badRequest("apnsEnvironment is missing; it must be \(known: names)")
        }
        guard let apnsEnvironment = PushEnvironment(rawValue: name) else {
            throw ServerError.badRequest("apnsEnvironment must be \(known: names), not '\(name.prefix(100))'")
        }
        return PushRegistration(
            container: identity.container.id, environment: identity.environment, user: user,
            clientID: try pushClientID(), apnsEnvironment: apnsEnvironment)
    }

    /// The id that the client gives itself: in the body, in either spelling, or in the query.
    private func pushClientID() throws(ServerError) -> String? {
        let spelled = try text("clientId", in: body)
        let id = if let spelled { spelled } else { try text("clientID", in: body) ?? options.clientID }
        return try clientID(id)
    }

    /// Does in this environment's store what has become of a registration, and answers it.
    ///
    /// - Parameters:
    ///   - token: the one that the courier is asked with.
    ///   - sent: the token to answer in its place; nil for the same.
    func respond(
        _ token: String, _ outcome: PushRegistration.Outcome, _ registration: PushRegistration,
        answering sent: String? = nil
    ) async throws -> JSONWriter {
        let device = Device(
            token: outcome.token, user: registration.user, clientID: registration.clientID,
            expires: outcome.expires)
        if let predecessor = outcome.predecessor {
            try await store.register(device, replacing: predecessor)
        } else {
            try await store.register(device)
        }
        for place in outcome.elsewhere {
            try await push.stores.store(container: place.container, environment: place.environment)
                .register(place.device(token: outcome.token, expires: outcome.expires))
        }
        for dropped in outcome.dropped { try await store.removeDevice(token: dropped) }
        // Who waits for a token that is no more finds out, and who waits for this one of its new place.
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
