package import NIOCore

/// Why a wait for messages has ended.
package enum WaitEnding: Hashable, Sendable {
    /// There may be something.
    case woken
    /// The time is up.
    case deadline
    /// Somebody else listens to the token now.
    case replaced
    /// Whoever waited has gone.
    case hungUp
    /// The server stops.
    case stopping
}

/// Who listens to a token, from ``NotificationHub/listen(to:)`` until it leaves.
package struct NotificationListener: Sendable {
    let hub: NotificationHub
    let token: Int64
    let number: Int64

    /// Waits for something to come since the listener began, or since its last wait was ended by it. So a listener
    /// that first asks for what there is and then waits misses nothing.
    package func wait(within time: TimeAmount) async -> WaitEnding { await hub.wait(self, within: time) }

    /// Ends its wait, and any that it begins from now on, because nobody is there any more.
    package func hangUp() { hub.hangUp(self) }

    /// Lets the next one listen. No other call may follow.
    package func leave() { hub.leave(self) }
}
