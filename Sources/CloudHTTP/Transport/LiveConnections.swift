package import NIOCore
import Synchronization

/// The server's open connections, and closed connections with an unfinished answer.
///
/// A single task awaits their end at shutdown: a task per connection would cost some 1.7 KB each.
package final class LiveConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var waiter: CheckedContinuation<Void, Never>?
        var isStopping = false
    }

    private let state = Mutex(State())

    /// - Parameter end: fulfilled once the connection and its last answer have ended.
    package func add(_ channel: any Channel, until end: EventLoopFuture<Void>) {
        let id = ObjectIdentifier(channel)
        let isStopping = state.withLock { state in
            state.channels[id] = channel
            return state.isStopping
        }
        // Queued after the connection's setup.
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

    /// Ends each connection after its current answer, including connections accepted later.
    package func stop() {
        let channels = state.withLock { state in
            state.isStopping = true
            return Array(state.channels.values)
        }
        for channel in channels { Self.stop(channel) }
    }

    private static func stop(_ channel: any Channel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    }

    /// Closes every connection immediately, even during an answer.
    package func close() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    /// Waits until all connections have ended. A second concurrent call returns at once. Cancellation closes the connections.
    package func wait() async {
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
