import CloudModel

/// The pauses after attempts at previews or films whose program was stopped.
struct AttemptPauses<Key: Hashable> {
    private struct Pause {
        var attempts: Int
        var until: Timestamp
        var last: ProgramStop
    }

    /// Seconds until the next attempt: after the first, the second, and each further one.
    private let lengths: [Int64] = [60, 600, 86_400]
    /// What is attempted, as a reason names it.
    private let subject: String
    private var pauses = BoundedCache<Key, Pause>(capacity: 10_000)

    init(of subject: String) { self.subject = subject }

    /// Begins the pause after an attempt that ended at a time. Attempts that end during a pause leave it: a busy machine stops
    /// several sizes of a picture at once.
    mutating func begin(_ key: Key, _ stop: ProgramStop, at time: Timestamp) {
        guard refusal(key, at: time) == nil else { return }
        let attempts = (pauses[key]?.attempts ?? 0) + 1
        let length = lengths[min(attempts, lengths.count) - 1]
        pauses[key] = Pause(
            attempts: attempts, until: Timestamp(milliseconds: time.milliseconds + length * 1000), last: stop)
    }

    /// Forgets the attempts at a file, once one has ended by itself.
    mutating func end(_ key: Key) { pauses[key] = nil }

    /// The refusal during a pause; nil outside.
    func refusal(_ key: Key, at time: Timestamp) -> ServerError? {
        guard let pause = pauses[key], pause.until > time else { return nil }
        let rest = Int((pause.until.milliseconds - time.milliseconds + 999) / 1000)
        return ServerError(
            .tryAgainLater,
            "\(subject) \(pause.last); it is tried again in \(rest) seconds",
            .server(.fault), retryAfter: rest)
    }
}
