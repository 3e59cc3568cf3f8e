import CloudModel

/// Thrown when a film was not done in its time, which says more of the server's load than of the video.
struct FilmTookTooLong: Error {
    /// The time that it had.
    let seconds: Int
}

/// The pauses after attempts at films that took too long.
struct FilmPauses {
    /// Seconds until the next attempt: after the first, the second, and each further one.
    static let lengths: [Int64] = [60, 600, 86_400]

    private struct Pause {
        var attempts: Int
        var until: Timestamp
        /// The time that the last attempt had.
        var seconds: Int
    }

    private var pauses = BoundedCache<FilmState.Key, Pause>(capacity: 10_000)

    /// Begins the pause after an attempt that ended at a time.
    mutating func begin(_ key: FilmState.Key, _ late: FilmTookTooLong, at time: Timestamp) {
        let attempts = (pauses[key]?.attempts ?? 0) + 1
        let length = Self.lengths[min(attempts, Self.lengths.count) - 1]
        pauses[key] = Pause(
            attempts: attempts, until: Timestamp(milliseconds: time.milliseconds + length * 1000),
            seconds: late.seconds)
    }

    /// Forgets the attempts at a film that was made, or cannot be.
    mutating func end(_ key: FilmState.Key) { pauses[key] = nil }

    /// The refusal of a film during its pause; nil if it may be tried.
    func refusal(_ key: FilmState.Key, at time: Timestamp) -> ServerError? {
        guard let pause = pauses[key], pause.until > time else { return nil }
        let rest = Int((pause.until.milliseconds - time.milliseconds + 999) / 1000)
        return ServerError(
            .tryAgainLater,
            "the film of this video was not made within \(pause.seconds) seconds; it is tried again in \(rest) seconds",
            .server(.fault), retryAfter: rest)
    }
}
