/// Settings for the delivery of messages to webhooks.
package struct WebhookSettings: Hashable, Sendable {
    /// The timeout of one attempt, from host lookup to answer.
    package var timeout = Duration.seconds(10)
    /// The number of attempts before a message becomes a dead letter.
    package var attempts = 12
    /// The delay between the first and the second attempt; it doubles with each attempt.
    package var firstDelay = Duration.seconds(2)
    /// The upper bound of the delay.
    package var longestDelay = Duration.seconds(3600)
    /// The most dead letters kept per webhook.
    package var deadLetters = 1000
    /// True if webhooks may target this machine and its private network.
    package var allowPrivateAddresses = false

    package init() {}

    /// The delay before the next attempt.
    ///
    /// - Parameters:
    ///   - attempts: the number of failed attempts.
    ///   - chance: a random number from 0 to 1 that scales half of the delay, so that webhooks that failed together
    ///     retry at different times.
    func delay(after attempts: Int, chance: Double) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(attempts, 1) where delay < longestDelay { delay *= 2 }
        return min(delay, longestDelay) * (0.5 + chance / 2)
    }
}
