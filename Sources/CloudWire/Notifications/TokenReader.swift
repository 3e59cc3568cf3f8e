package import CloudAccounts
package import CloudHTTP
import CloudModel
package import CloudStore
import Foundation
package import Logging

/// Reads queued notifications for one push token, across all its registrations.
package final class TokenReader: Sendable {
    package struct Message: Sendable {
        package let notification: QueuedNotification
        /// The registration that queued the notification.
        package let place: PushToken.Registration
        package var source: EventPosition.Source { EventPosition.Source(place) }
        /// True if a test's fault duplicates the delivery.
        package var comesAgain = false

        package init(notification: QueuedNotification, place: PushToken.Registration, comesAgain: Bool = false) {
            self.notification = notification
            self.place = place
            self.comesAgain = comesAgain
        }
    }

    package let accounts: AccountStore
    package let stores: ContainerStores
    /// The lifetime of a token after its last use.
    private let lifetime: Duration
    /// Changes deliveries on purpose; nil except on a development server.
    private let interference: (any Interference)?
    private let way: DeliveryWay
    private let deliveries: Deliveries
    private let metrics: ServerMetrics
    private let logger: Logger

    /// - Parameters:
    ///   - way: the delivery method, for metrics and the log.
    ///   - lifetime: the lifetime of a token after its last use.
    package init(
        _ way: DeliveryWay, lifetime: Duration, _ accounts: AccountStore, _ stores: ContainerStores,
        _ deliveries: Deliveries, interference: (any Interference)? = nil, metrics: ServerMetrics, logger: Logger
    ) {
        self.way = way
        self.accounts = accounts
        self.stores = stores
        self.deliveries = deliveries
        self.metrics = metrics
        self.logger = logger
        self.lifetime = lifetime
        self.interference = interference
    }

    /// Looks up a token and extends its lifetime.
    ///
    /// - Throws: a refusal with status 404 for an unknown token, 410 for an expired token.
    package func open(_ text: String?) async throws -> PushToken {
        let reader = try await accounts.reader()
        guard let text, let token = try await reader.pushToken(text) else { throw Self.unknown }
        guard reader.isGood(token) else {
            throw RequestRefusal(
                ServerError(.notFound, "the push token has expired", .credentials(.expiredLink)), status: .gone)
        }
        guard !token.registrations.isEmpty else { throw Self.unknown }
        await slide(token)
        return token
    }

    /// ``open(_:)`` during a stream; nil once the token is unknown or expired.
    func goodToken(_ text: String?) async throws -> PushToken? {
        do { return try await open(text) } catch is RequestRefusal { return nil } catch let error as ServerError
            where error.code == .notFound
        { return nil }
    }

    private static let unknown = ServerError(.notFound, "the push token is not known", .missing(.token))

    /// A full disk must not fail polls, so an error is only logged.
    private func slide(_ token: PushToken) async {
        do {
            guard let expires = try await accounts.pushTokens.slide(token, lifetime: lifetime) else { return }
            for place in token.registrations {
                try await stores.store(container: place.container, environment: place.environment)
                    .devices.register(place.device(token: token.id, expires: expires))
            }
        } catch {
            logger.error("a push token could not be prolonged", metadata: ["error": "\(error)"])
        }
    }

    /// The oldest undelivered message of all registrations.
    package func next(_ token: PushToken) async throws -> Message? {
        var nowhere = EventPosition()
        return try await next(token, replaying: &nowhere)
    }

    /// The oldest message of all registrations; on equal times, of the earliest registration.
    ///
    /// - Parameter replaying: per registration, the ID after which to replay delivered messages.
    package func next(_ token: PushToken, replaying place: inout EventPosition) async throws -> Message? {
        while let message = try await oldest(token, &place) {
            guard let interference else { return message }
            if let message = try await interference.delivered(message, to: token, by: self) { return message }
        }
        return nil
    }

    private func oldest(_ token: PushToken, _ place: inout EventPosition) async throws -> Message? {
        var oldest: Message?
        for registered in token.registrations {
            let store = try await stores.store(container: registered.container, environment: registered.environment)
            guard let notification = try await next(token, in: store, EventPosition.Source(registered), &place) else {
                continue
            }
            if oldest.map({ $0.notification.created <= notification.created }) ?? false { continue }
            oldest = Message(notification: notification, place: registered)
        }
        return oldest
    }

    /// Converts a handed-over message; nil if the queue or the database must be read instead.
    ///
    /// - Parameter before: the token at the last read of its queue. A registration that has changed users since gets nothing.
    package func message(_ handed: HandedMessage, to before: PushToken) -> Message? {
        guard interference?.isActive != true, let token = try? accounts.readerAtHand()?.remembered(before) else {
            return nil
        }
        let place = token.registrations.first {
            $0.container.id == handed.place.container && $0.environment == handed.place.environment
        }
        guard let place, token.revision == before.revision || before.registrations.contains(place) else { return nil }
        return Message(notification: handed.notification, place: place)
    }

    /// Records a message as delivered.
    ///
    /// - Parameter keeping: true to keep the message for a replay.
    /// - Returns: false if the write failed.
    @discardableResult
    package func note(_ message: Message, keeping: Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            note(message, keeping: keeping) { continuation.resume(returning: $0) }
        }
    }

    private func note(_ message: Message, keeping: Bool, _ end: @escaping @Sendable (_ isNoted: Bool) -> Void) {
        if message.comesAgain { return end(true) }
        note([message], keeping: keeping, end)
    }

    /// Records messages of one registration as delivered, without a waiting task.
    ///
    /// - Parameter end: called after the commit or its failure.
    package func note(_ messages: [Message], _ end: @escaping @Sendable () -> Void) {
        note(messages, keeping: false) { _ in end() }
    }

    private func note(
        _ messages: [Message], keeping: Bool, _ end: @escaping @Sendable (_ isNoted: Bool) -> Void
    ) {
        guard let place = messages.first?.place else { return end(true) }
        deliveries.note(messages.map(\.notification), at: place, keeping: keeping) { [self] isNoted in
            if isNoted { count(messages) }
            end(isNoted)
        }
    }

    private func count(_ messages: [Message]) {
        guard let source = messages.first?.source else { return }
        let time = accounts.now()
        for message in messages { metrics.delivered(way, after: time - message.notification.created) }
        stores.notifications.record(
            .delivered(way, time),
            of: messages.map {
                LoggedNotification($0.notification, for: .device(clientID: $0.place.clientID))
            }, in: source.place)
    }

    /// Records the reader's last event as delivered.
    package func acknowledge(_ last: EventPosition.Last, by token: PushToken) async throws {
        let place = token.registrations.first { EventPosition.Source($0) == last.source }
        guard let place else { return }
        try await stores.store(container: place.container, environment: place.environment)
            .notifications.acknowledge(last.message, token: token.id)
    }

    private func next(
        _ token: PushToken, in store: EnvironmentStore, _ source: EventPosition.Source, _ place: inout EventPosition
    ) async throws -> QueuedNotification? {
        if let last = place.ids[source] {
            if let again = try await store.notifications.list(token: token.id, after: last, limit: 1).first {
                return again
            }
            place.ids[source] = nil
        }
        return try await store.notifications.next(token: token.id)
    }
}
