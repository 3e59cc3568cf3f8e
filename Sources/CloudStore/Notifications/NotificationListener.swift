package import NIOCore

/// The reason why a wait for messages has ended.
package enum WaitEnding: Hashable, Sendable {
    /// There may be something: this message and no other, or what the queue tells where there is none here.
    case woken(HandedMessage?)
    /// The time is up.
    case deadline
    /// Somebody else listens to the token now.
    case replaced
    /// Whoever waited has gone.
    case hungUp
    /// The server stops.
    case stopping

    /// Whether the listener may listen on.
    package var mayGoOn: Bool {
        switch self {
        case .woken, .deadline: true
        case .replaced, .hungUp, .stopping: false
        }
    }
}

/// A message that was queued a moment ago for a device that nothing else waited for.
package struct HandedMessage: Hashable, Sendable {
    package let notification: QueuedNotification
    package let place: NotificationLog.Place
}

/// A listener to a token, from ``NotificationHub/listen(to:)`` until it leaves or is let go of.
package final class NotificationListener: Sendable {
    private let hub: NotificationHub
    let token: Int64
    let number: Int64

    init(hub: NotificationHub, token: Int64, number: Int64) {
        self.hub = hub
        self.token = token
        self.number = number
    }

    // An answer that is never written must not keep its token for ever.
    deinit { hub.leave(token, number) }

    /// Waits for something to come since the listener began, or since its last wait was ended by it. So a listener
    /// that first asks for what there is and then waits misses nothing.
    package func wait(within time: TimeAmount) async -> WaitEnding { await hub.wait(self, within: time) }

    /// The same without a task that waits: calls `end` once, perhaps before this returns. The wait keeps what `end`
    /// holds.
    ///
    /// - Parameter loop: on which a message calls `end`, with those of the loop's other listeners; other endings do on
    ///   any thread.
    package func wait(
        until deadline: NIODeadline, on loop: any EventLoop, _ end: @escaping @Sendable (WaitEnding) -> Void
    ) { hub.wait(self, until: deadline, on: loop, end) }

    /// True if a wait would end at once: there is a newer listener, nobody is there, or the server stops.
    package var isReleased: Bool { hub.isReleased(self) }

    /// Ends its wait, and any that it begins from now on, because nobody is there any more.
    package func hangUp() { hub.hangUp(self) }

    /// Lets the next one listen. Later waits end as replaced.
    package func leave() { hub.leave(token, number) }
}
