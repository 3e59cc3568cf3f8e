/// How messages are delivered to webhooks. Times are in seconds.
package struct WebhookSettings: Hashable, Sendable {
    /// For one attempt, from looking up the host to the answer.
    package var timeout = 10.0
    /// How often a message is tried before it is a dead letter.
    package var attempts = 12
    /// Between the first attempt and the second; it doubles from one to the next.
    package var firstDelay = 2.0
    /// What the delay grows to.
    package var longestDelay = 3600.0
    /// Dead letters kept of one webhook.
    package var deadLetters = 1000
    /// Whether webhooks may be on this machine and its network.
    package var allowPrivateAddresses = false

    package init() {}

    /// How long to wait before the next attempt.
    ///
    /// - Parameters:
    ///   - attempts: those that have failed.
    ///   - chance: from 0 to 1; half of the delay is left to it, so that webhooks that failed together do not come
    ///     back together.
    func delay(after attempts: Int, chance: Double) -> Double {
        var delay = firstDelay
        for _ in 1..<max(attempts, 1) where delay < longestDelay { delay *= 2 }
        return min(delay, longestDelay) * (0.5 + chance / 2)
    }
}
