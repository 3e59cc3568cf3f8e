package import CloudModel
import Synchronization

/// The latest messages that this server queued or delivered, at most ``most``.
///
/// State: a ring of messages and the index of each, under one lock. Message texts are parsed only for display.
package final class NotificationLog: Sendable {
    package static let most = 1000

    /// An environment of a container, by the container's row.
    package struct EnvironmentKey: Hashable, Sendable {
        package let container: Int64
        package let environment: ContainerEnvironment

        package init(container: Int64, environment: ContainerEnvironment) {
            self.container = container
            self.environment = environment
        }
    }

    fileprivate struct Key: Hashable {
        let environment: EnvironmentKey
        let id: Int64
    }

    fileprivate struct State {
        /// Messages with ascending numbers.
        var ring: [(key: Key, message: LoggedNotification, number: Int64)] = []
        var last: Int64 = 0
        var indices: [Key: Int] = [:]
        /// The index of the oldest message once the ring is full.
        var next = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds messages after their commit. A message that replaced another in the queue replaces it here too.
    func add(_ messages: [LoggedNotification], in environment: EnvironmentKey) {
        state.withLock { state in
            for message in messages {
                let key = Key(environment: environment, id: message.id)
                // Numbers start again in an environment that was emptied.
                if message.revision == 0 { state.indices[key] = nil }
                state.put(message, key)
            }
        }
    }

    /// Notes the fate of messages, queued by this or another server.
    package func record(
        _ fate: LoggedNotification.Fate, of messages: [LoggedNotification], in environment: EnvironmentKey
    ) {
        state.withLock { state in
            for var message in messages {
                message.fate = fate
                state.put(message, Key(environment: environment, id: message.id))
            }
        }
    }

    package func record(_ fate: LoggedNotification.Fate, of message: LoggedNotification, in environment: EnvironmentKey)
    {
        record(fate, of: [message], in: environment)
    }

    /// The latest messages of an environment with their numbers, newest first.
    ///
    /// - Parameter number: lists messages with lower numbers; nil for the latest messages.
    package func last(
        _ limit: Int, before number: Int64? = nil, in environment: EnvironmentKey
    ) -> [(number: Int64, message: LoggedNotification)] {
        let (ring, next) = state.withLock { ($0.ring, $0.next) }
        let ordered = ring[next...] + ring[..<next]
        let fitting = ordered.reversed().lazy.filter { $0.key.environment == environment && $0.number < number ?? .max }
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
