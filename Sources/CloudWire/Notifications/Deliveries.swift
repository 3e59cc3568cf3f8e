package import CloudAccounts
import CloudModel
package import CloudStore
package import Logging
import Synchronization

/// Records delivered messages, with concurrent deliveries of one environment in a shared transaction.
package final class Deliveries: Sendable {
    private struct Key: Hashable {
        let source: EventPosition.Source
        /// True to keep the messages for a replay.
        let keeping: Bool
    }

    private struct Delivery {
        let notifications: [QueuedNotification]
        let end: @Sendable (_ isNoted: Bool) -> Void
    }

    /// Messages per transaction, so that other writes need not wait long.
    private static let mostAtOnce = 500

    private let stores: ContainerStores
    private let logger: Logger
    /// Queued deliveries of each environment that is being written.
    private let waiting = Mutex<[Key: [Delivery]]>([:])

    package init(stores: ContainerStores, logger: Logger) {
        self.stores = stores
        self.logger = logger
    }

    /// Records messages of one registration as delivered. After a failed write they are delivered again rather than lost.
    ///
    /// - Parameter end: called after the commit or its failure.
    package func note(
        _ notifications: [QueuedNotification], at place: PushToken.Registration, keeping: Bool,
        _ end: @escaping @Sendable (_ isNoted: Bool) -> Void
    ) {
        let key = Key(source: EventPosition.Source(place), keeping: keeping)
        let isFirst = waiting.withLock { waiting in
            waiting[key, default: []].append(Delivery(notifications: notifications, end: end))
            return waiting[key]?.count == 1
        }
        if isFirst { Task { await run(key, place) } }
    }

    /// Deliveries stay queued until recorded; a non-empty queue tells ``note(_:at:keeping:_:)`` not to start another run.
    private func run(_ key: Key, _ place: PushToken.Registration) async {
        while true {
            let deliveries = waiting.withLock { Self.first($0[key] ?? []) }
            let isNoted = await note(deliveries.flatMap(\.notifications), at: place, keeping: key.keeping)
            let isLast = waiting.withLock { waiting in
                waiting[key]?.removeFirst(deliveries.count)
                guard waiting[key]?.isEmpty == true else { return false }
                waiting[key] = nil
                return true
            }
            for delivery in deliveries { delivery.end(isNoted) }
            if isLast { return }
        }
    }

    /// The next group, at least one delivery.
    private static func first(_ deliveries: [Delivery]) -> ArraySlice<Delivery> {
        var count = 0
        return deliveries.prefix { delivery in
            defer { count += delivery.notifications.count }
            return count == 0 || count + delivery.notifications.count <= mostAtOnce
        }
    }

    private func note(
        _ notifications: [QueuedNotification], at place: PushToken.Registration, keeping: Bool
    ) async -> Bool {
        do {
            try await stores.store(container: place.container, environment: place.environment)
                .notifications.acknowledge(notifications, keeping: keeping)
            return true
        } catch {
            logger.error("a delivered notification could not be noted", metadata: ["error": "\(error)"])
            return false
        }
    }
}
