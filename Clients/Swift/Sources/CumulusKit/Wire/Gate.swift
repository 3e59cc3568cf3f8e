/// Delays requests until the time that the server asked for.
final class Gate: Sendable {
    private let opening = Mutex<ContinuousClock.Instant?>(nil)

    func close(for duration: Duration) {
        let end = ContinuousClock.now + duration
        opening.withLock { $0 = max($0 ?? end, end) }
    }

    /// The remaining time.
    var wait: Duration {
        opening.withLock { opening in
            guard let end = opening else { return .zero }
            let left = ContinuousClock.now.duration(to: end)
            if left <= .zero { opening = nil }
            return max(left, .zero)
        }
    }
}
