import NIOCore
import Synchronization

/// The connections of a server that have not ended, or whose last answer has not.
///
/// A server has to stay until they all have. One task waits for them together, since each would keep some 1.7 KB for as long
/// as its connection waits.
final class LiveConnections: Sendable {
    private let state = Mutex<(channels: [ObjectIdentifier: any Channel], waiter: CheckedContinuation<Void, Never>?)>(
        ([:], nil))

    /// - Parameter end: fulfilled once the connection and its last answer have ended.
    func add(_ channel: any Channel, until end: EventLoopFuture<Void>) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.channels[id] = channel }
        end.whenComplete { _ in self.remove(id) }
    }

    private func remove(_ id: ObjectIdentifier) {
        let waiter = state.withLock { state in
            state.channels[id] = nil
            return state.channels.isEmpty ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Waits until all have ended, or returns at once where another waits for that. Closes them when its task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isWaiting = state.withLock { state in
                    guard !state.channels.isEmpty, state.waiter == nil else { return false }
                    state.waiter = continuation
                    return true
                }
                if !isWaiting { continuation.resume() }
            }
        } onCancel: {
            for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
        }
    }
}
