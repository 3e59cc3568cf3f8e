package import NIOCore

/// The reason why a wait for messages has ended.
package enum WaitEnding: Hashable, Sendable {
    /// A message may be queued: the given message alone, or the messages in the queue if nil.
    case woken(HandedMessage?)
    /// The time is up.
    case deadline
    /// A newer listener has taken over the token.
    case replaced
    /// The waiting client has hung up.
    case hungUp
    /// The server stops.
    case stopping

    /// Whether the listener may wait again.
    package var mayGoOn: Bool {
        switch self {
        case .woken, .deadline: true
        case .replaced, .hungUp, .stopping: false
        }
    }
}

/// A message just queued for a device whose queue was empty.
package struct HandedMessage: Hashable, Sendable {
    package let notification: QueuedNotification
    package let place: NotificationLog.EnvironmentKey
}

/// A listener to a token, from ``NotificationHub/listen(to:)`` until it leaves or is released.
package final class NotificationListener: Sendable {
    private let hub: NotificationHub
    let token: Int64
    let number: Int64

    init(hub: NotificationHub, token: Int64, number: Int64) {
        self.hub = hub
        self.token = token
        self.number = number
    }

    // The token must be free even if its response is never written.
    deinit { hub.leave(token, number) }

    /// Waits for a message queued since the listener began, or since a message ended its last wait. A listener that first
    /// reads the queue and then waits misses no message.
    package func wait(within time: TimeAmount) async -> WaitEnding { await hub.wait(self, within: time) }

    /// Waits without a suspended task: calls `end` once, perhaps before returning. Keeps the captures of `end` until then.
    ///
    /// - Parameter loop: the event loop that calls `end` for a message, together with the loop's other listeners; other
    ///   endings call it on any thread.
    package func wait(
        until deadline: NIODeadline, on loop: any EventLoop, _ end: @escaping @Sendable (WaitEnding) -> Void
    ) { hub.wait(self, until: deadline, on: loop, end) }

    /// True if a new wait would end immediately: a newer listener took over, the client hung up, or the server stops.
    package var isReleased: Bool { hub.isReleased(self) }

    /// Ends the current wait and all later waits, because the client hung up.
    package func hangUp() { hub.hangUp(self) }

    /// Lets the next listener in. Later waits end as replaced.
    package func leave() { hub.leave(token, number) }
}
