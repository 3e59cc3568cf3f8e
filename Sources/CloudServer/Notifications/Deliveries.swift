import CloudModel
import CloudStore
import Logging
import Synchronization

/// Notes which messages have arrived: those of one environment that come together, in one transaction.
final class Deliveries: Sendable {
    private struct Key: Hashable {
        let source: EventPosition.Source
        /// Whether the messages may be asked for again by their places.
        let keeping: Bool
    }

    private struct Delivery {
        let notifications: [QueuedNotification]
        let end: @Sendable (_ isNoted: Bool) -> Void
    }

    /// So many are noted in one transaction, which others wait for.
    private static let mostAtOnce = 500

    private let stores: ContainerStores
    private let logger: Logger
    /// Deliveries that wait, of each environment that is being written to.
    private let waiting = Mutex<[Key: [Delivery]]>([:])

    init(stores: ContainerStores, logger: Logger) {
        self.stores = stores
        self.logger = logger
    }

    /// Notes that messages of one place have arrived. A disk at fault lets them come once more, which is better than not at all.
    ///
    /// - Parameter end: called once that is on disk, or could not be noted.
    func note(
        _ notifications: [QueuedNotification], at place: PushToken.Place, keeping: Bool,
        _ end: @escaping @Sendable (_ isNoted: Bool) -> Void
    ) {
        let key = Key(source: EventPosition.Source(place), keeping: keeping)
        let isFirst = waiting.withLock { waiting in
            waiting[key, default: []].append(Delivery(notifications: notifications, end: end))
            return waiting[key]?.count == 1
        }
        if isFirst { Task { await run(key, place) } }
    }

    /// The first that waits stays in its place until it is noted, so that nobody else begins.
    private func run(_ key: Key, _ place: PushToken.Place) async {
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

    /// Those that are noted next, one at least.
    private static func first(_ deliveries: [Delivery]) -> ArraySlice<Delivery> {
        var count = 0
        return deliveries.prefix { delivery in
            defer { count += delivery.notifications.count }
            return count == 0 || count + delivery.notifications.count <= mostAtOnce
        }
    }

    private func note(
        _ notifications: [QueuedNotification], at place: PushToken.Place, keeping: Bool
    ) async -> Bool {
        do {
            try await stores.store(container: place.container, environment: place.environment)
                .acknowledge(notifications, keeping: keeping)
            return true
        } catch {
            logger.error("a delivered notification could not be noted", metadata: ["error": "\(error)"])
            return false
        }
    }
}
