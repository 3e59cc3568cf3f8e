package import CloudModel
import Synchronization

/// The last messages that this server queued or delivered, bounded by their number.
///
/// State: a ring of messages, and the place of each in it, under one lock. What a message says is read when somebody
/// looks, and not before.
package final class NotificationLog: Sendable {
    package static let most = 1000

    /// An environment of a container, by the container's row.
    package struct Place: Hashable, Sendable {
        package let container: Int64
        package let environment: ContainerEnvironment

        package init(container: Int64, environment: ContainerEnvironment) {
            self.container = container
            self.environment = environment
        }
    }

    fileprivate struct Key: Hashable {
        let place: Place
        let id: Int64
    }

    fileprivate struct State {
        /// Each with its number, by which later ones are told from earlier ones.
        var ring: [(key: Key, message: LoggedNotification, number: Int64)] = []
        var last: Int64 = 0
        var indices: [Key: Int] = [:]
        /// The index of the oldest once the ring is full.
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Notes messages that are on disk. One that took the place of another stands where that one stood.
    func add(_ messages: [LoggedNotification], in place: Place) {
        state.withLock { state in
            for message in messages {
                let key = Key(place: place, id: message.id)
                // An environment that was emptied begins its numbers anew.
                if message.revision == 0 { state.indices[key] = nil }
                state.put(message, key)
            }
        }
    }

    /// Notes the fate of messages, whoever queued them.
    package func note(_ fate: LoggedNotification.Fate, of messages: [LoggedNotification], in place: Place) {
        state.withLock { state in
            for var message in messages {
                message.fate = fate
                state.put(message, Key(place: place, id: message.id))
            }
        }
    }

    package func note(_ fate: LoggedNotification.Fate, of message: LoggedNotification, in place: Place) {
        note(fate, of: [message], in: place)
    }

    /// The last messages of an environment with their numbers, the newest first.
    ///
    /// - Parameter number: of the message before which to begin; nil for the last there are.
    package func last(
        _ limit: Int, before number: Int64? = nil, in place: Place
    ) -> [(number: Int64, message: LoggedNotification)] {
        let (ring, next) = state.withLock { ($0.ring, $0.next) }
        let ordered = ring[next...] + ring[..<next]
        let fitting = ordered.reversed().lazy.filter { $0.key.place == place && $0.number < number ?? .max }
        return fitting.prefix(limit).map { ($0.number, $0.message) }
    }
}

extension NotificationLog.State {
    fileprivate mutating func put(_ message: LoggedNotification, _ key: NotificationLog.Key) {
        if let index = indices[key] {
            ring[index].message = message
        } else if ring.count < NotificationLog.most {
            indices[key] = ring.count
            last += 1
            ring.append((key, message, last))
        } else {
            if indices[ring[next].key] == next { indices[ring[next].key] = nil }
            indices[key] = next
            last += 1
            ring[next] = (key, message, last)
            next = (next + 1) % NotificationLog.most
        }
    }
}
