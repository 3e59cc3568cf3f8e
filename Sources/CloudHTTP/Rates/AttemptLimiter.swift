package import CloudModel
import Synchronization

/// Limits attempts per key, such as a client address or an account.
///
/// A key has a number of attempts, refilled continuously over the window. State: each key's remaining attempts and
/// their timestamp, under one lock; fully refilled keys are forgotten.
package final class AttemptLimiter: Sendable {
    private struct Left {
        var attempts: Double
        var at: Timestamp
    }

    private let attempts: Double
    private let window: Duration
    private let capacity: Int
    private let now: Now
    private let keys = Mutex<[String: Left]>([:])

    /// - Parameters:
    ///   - attempts: the burst size per key.
    ///   - window: the time in which all attempts of a key refill.
    ///   - capacity: the most keys kept. Above that, the keys with the most remaining attempts are forgotten.
    package init(attempts: Int, window: Duration, capacity: Int = 20_000, now: @escaping Now) {
        self.attempts = Double(attempts)
        self.window = window
        self.capacity = capacity
        self.now = now
    }

    /// Takes one attempt of a key.
    ///
    /// - Returns: nil if the attempt is allowed, else the seconds until the next attempt.
    package func take(_ key: String) -> Int? {
        let now = now()
        return keys.withLock { keys in
            if keys[key] == nil, keys.count >= capacity { forgetSome(&keys, now: now) }
            let left = keys[key].map { self.left($0, now: now) } ?? attempts
            // Tolerates rounding errors, which would otherwise cost a second.
            if let seconds = wait(left) { return seconds }
            keys[key] = Left(attempts: left - 1, at: now)
            return nil
        }
    }

    /// The seconds until a key's next attempt; nil if an attempt is allowed now. Takes no attempt.
    package func wait(of key: String) -> Int? {
        let now = now()
        return keys.withLock { keys in keys[key].flatMap { wait(left($0, now: now)) } }
    }

    /// Takes attempts after the fact; the key's remaining attempts may become negative.
    package func spend(_ count: Int, of key: String) {
        let now = now()
        keys.withLock { keys in
            if keys[key] == nil, keys.count >= capacity { forgetSome(&keys, now: now) }
            let left = keys[key].map { self.left($0, now: now) } ?? attempts
            keys[key] = Left(attempts: left - Double(count), at: now)
        }
    }

    private func wait(_ left: Double) -> Int? {
        guard left < 1 - 1e-6 else { return nil }
        return max(1, Int(((1 - left) * (window / .seconds(1)) / attempts - 1e-3).rounded(.up)))
    }

    /// Returns true if all of a key's attempts are available.
    package func isUntouched(_ key: String) -> Bool {
        let now = now()
        return keys.withLock { keys in keys[key].map { left($0, now: now) >= attempts - 1e-6 } ?? true }
    }

    /// Whether a key has no attempt left.
    package func isUsedUp(_ key: String) -> Bool {
        let now = now()
        return keys.withLock { keys in keys[key].map { left($0, now: now) < 1 } ?? false }
    }

    /// Gives back an attempt that was no wrong guess.
    package func giveBack(_ key: String) {
        let now = now()
        keys.withLock { keys in
            guard let known = keys[key] else { return }
            let left = left(known, now: now) + 1
            keys[key] = left < attempts ? Left(attempts: left, at: now) : nil
        }
    }

    private func left(_ known: Left, now: Timestamp) -> Double {
        min(attempts, known.attempts + max(0, (now - known.at) / window) * attempts)
    }

    /// Forgets a quarter of the keys at once, so that a flood of new keys triggers few sorts.
    private func forgetSome(_ keys: inout [String: Left], now: Timestamp) {
        let sorted = keys.sorted { left($0.value, now: now) > left($1.value, now: now) }
        for (key, _) in sorted.prefix(max(1, capacity / 4)) { keys[key] = nil }
    }
}
