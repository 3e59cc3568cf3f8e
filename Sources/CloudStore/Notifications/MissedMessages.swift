import CloudModel
import Synchronization

/// Finds the messages that another server has written and told nobody of, because it ended in between.
///
/// Once a second it asks each environment that is open for its newest message, and where that is another than before, who
/// of those that listen here has something. An environment with listeners is open: each asks anew now and then.
final class MissedMessages: Sendable {
    private struct State {
        var isLooking = false
        var last = ContinuousClock.now
        /// The newest message of each environment, as it was last found.
        var newest: [OpenStores.Key: Int64] = [:]
    }

    private static let interval = Duration.seconds(1)

    private let opened: OpenStores
    private let hub: NotificationHub
    private let state = Mutex(State())

    init(_ opened: OpenStores, _ hub: NotificationHub) {
        self.opened = opened
        self.hub = hub
    }

    /// To be called again and again; looks once a second.
    func look() {
        let isDue = state.withLock { state in
            guard !state.isLooking, state.last.duration(to: .now) >= Self.interval else { return false }
            state.isLooking = true
            state.last = .now
            return true
        }
        guard isDue else { return }
        Task {
            await wakeMissed()
            state.withLock { $0.isLooking = false }
        }
    }

    private func wakeMissed() async {
        let tokens = hub.tokens
        guard !tokens.isEmpty else { return }
        for key in opened.keys {
            guard let store = opened.peek(key), let newest = try? await store.newestNotification() else { continue }
            // What another server has written is found once its number is seen here.
            guard state.withLock({ $0.newest.updateValue(newest, forKey: key) }) != newest else { continue }
            guard let waiting = try? await store.tokensWithNotifications(among: tokens) else {
                state.withLock { $0.newest[key] = nil }
                continue
            }
            hub.wake(waiting)
        }
    }
}
