import NIOCore
import Synchronization

/// The connections of a server that have not ended, or whose last answer has not.
///
/// A server has to stay until they all have. One task waits for them together, since each would keep some 1.7 KB for as long
/// as its connection waits.
final class LiveConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var waiter: CheckedContinuation<Void, Never>?
        var isStopping = false
    }

    private let state = Mutex(State())

    /// - Parameter end: fulfilled once the connection and its last answer have ended.
    func add(_ channel: any Channel, until end: EventLoopFuture<Void>) {
        let id = ObjectIdentifier(channel)
        let isStopping = state.withLock { state in
            state.channels[id] = channel
            return state.isStopping
        }
        // Behind what sets the connection up.
        if isStopping { channel.eventLoop.execute { Self.stop(channel) } }
        end.whenComplete { _ in self.remove(id) }
    }

    private func remove(_ id: ObjectIdentifier) {
        let waiter = state.withLock { state in
            state.channels[id] = nil
            return state.channels.isEmpty ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    /// Has each end once it has answered what it is answering, those too that are accepted later.
    func stop() {
        let channels = state.withLock { state in
            state.isStopping = true
            return Array(state.channels.values)
        }
        for channel in channels { Self.stop(channel) }
    }

    private static func stop(_ channel: any Channel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    /// Closes them all, in the middle of whatever they do.
    func close() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
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
            close()
        }
    }
}
