import CloudModel
import CloudModel
import CloudStore
import Foundation
import HTTPTypes
import Logging

/// Reads what waits for one push token, in all the places it is registered.
final class TokenReader: Sendable {
    /// Called with a message once it is delivered.
    typealias Delivery = @Sendable (Message) -> Void

    struct Message: Sendable {
        let notification: QueuedNotification
        let source: EventPosition.Source
        let store: any EnvironmentStore
        let clientID: String?
        let onDelivery: Delivery
        /// Whether a test wants it delivered once more.
        var comesAgain = false
    }

    let accounts: AccountStore
    let stores: ContainerStores
    /// The lifetime of a token after its last use.
    let lifetime: Duration
    let logger: Logger
    /// The faults that tests have asked for; nil for a server that is not for tests.
    let faults: FaultRules?
    let onDelivery: Delivery

    init(
        accounts: AccountStore, stores: ContainerStores, lifetime: Duration, logger: Logger, faults: FaultRules?,
        onDelivery: @escaping Delivery
    ) {
        self.accounts = accounts
        self.stores = stores
        self.lifetime = lifetime
        self.logger = logger
        self.faults = faults
        self.onDelivery = onDelivery
    }

    /// The token of this text as it is now, and prolonged by being used.
    ///
    /// - Throws: a refusal with 404 for one that is not known, with 410 for one that has expired.
    func open(_ text: String?) async throws -> PushToken {
        let reader = try accounts.reader()
        guard let text, let token = try reader.pushToken(text) else { throw Self.unknown }
        guard reader.isGood(token) else {
            throw RequestRefusal(
                ServerError(.notFound, "the push token has expired", .credentials(.expiredLink)), status: .gone)
        }
        guard !token.places.isEmpty else { throw Self.unknown }
        await slide(token)
        return token
    }

    /// The same while a stream runs; nil for a token that is good no longer.
    func goodToken(_ text: String?) async throws -> PushToken? {
        do { return try await open(text) } catch is RequestRefusal { return nil } catch let error as ServerError
            where error.code == .notFound
        { return nil }
    }

    private static let unknown = ServerError(.notFound, "the push token is not known", .missing(.token))

    /// A full disk must not turn polls away, so a failure is only logged.
    private func slide(_ token: PushToken) async {
        do {
            guard let expires = try await accounts.slide(token, lifetime: lifetime) else { return }
            for place in token.places {
                try await stores.store(container: place.container, environment: place.environment)
                    .register(place.device(token: token.id, expires: expires))
            }
        } catch {
            logger.error("a push token could not be prolonged", metadata: ["error": "\(error)"])
        }
    }

    /// The oldest message of all places, for who reads each once.
    func next(_ token: PushToken) async throws -> Message? {
        var nowhere = EventPosition()
        return try await next(token, replaying: &nowhere)
    }

    /// The oldest message of all places; of two of one time that of the place registered first.
    ///
    /// - Parameter replaying: where messages that were delivered before are read again, and after which.
    func next(_ token: PushToken, replaying place: inout EventPosition) async throws -> Message? {
        while let message = try await oldest(token, &place) {
            if let message = try await faulted(message, to: token) { return message }
        }
        return nil
    }

    private func oldest(_ token: PushToken, _ place: inout EventPosition) async throws -> Message? {
        var oldest: Message?
        for registered in token.places {
            let store = try await stores.store(container: registered.container, environment: registered.environment)
            let source = EventPosition.Source(container: registered.container.id, environment: registered.environment)
            guard let notification = try await next(token, in: store, source, &place) else { continue }
            if oldest.map({ $0.notification.created <= notification.created }) ?? false { continue }
            oldest = Message(
                notification: notification, source: source, store: store,
                clientID: registered.clientID, onDelivery: onDelivery)
        }
        return oldest
    }

    /// Notes that the reader of a stream has the event it names.
    func acknowledge(_ last: EventPosition.Last, by token: PushToken) async throws {
        let place = token.places.first {
            $0.container.id == last.source.container && $0.environment == last.source.environment
        }
        guard let place else { return }
        try await stores.store(container: place.container, environment: place.environment)
            .acknowledge(last.message, token: token.id)
    }

    private func next(
        _ token: PushToken, in store: any EnvironmentStore, _ source: EventPosition.Source, _ place: inout EventPosition
    ) async throws -> QueuedNotification? {
        if let last = place.ids[source] {
            if let again = try await store.notifications(token: token.id, after: last, limit: 1).first { return again }
            place.ids[source] = nil
        }
        return try await store.nextNotification(token: token.id)
    }
}
