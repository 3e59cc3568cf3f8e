import CloudModel
import Synchronization

/// Finds messages that another server has written but, because it ended in between, announced to no listener.
///
/// Once a second, reads the newest message number of each open environment; if it has changed, wakes the waiting tokens with
/// queued messages. Environments with listeners are open, since listeners poll now and then.
final class MissedMessages: Sendable {
    private struct State {
        var isLooking = false
        var last = ContinuousClock.now
        /// The newest message number of each environment at the last look.
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

    /// Looks for missed messages, at most once a second; call it repeatedly.
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
            guard let stored = opened.peek(key) else { continue }
            let store = NotificationStore(stored: stored)
            guard let newest = try? await store.newest() else { continue }
            // A new number may be another server's message.
            guard state.withLock({ $0.newest.updateValue(newest, forKey: key) }) != newest else { continue }
            guard let waiting = try? await store.waiting(among: tokens) else {
                state.withLock { $0.newest[key] = nil }
                continue
            }
            hub.wake(waiting)
        }
    }
}
