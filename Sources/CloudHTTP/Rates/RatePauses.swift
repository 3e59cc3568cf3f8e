import CloudModel
import Synchronization

/// The imposed pauses, by limited key.
final class RatePauses: Sendable {
    private let length: Duration
    private let now: Now
    private let ends = Mutex(BoundedCache<String, Timestamp>(capacity: 20_000))

    /// - Parameter length: the length of a pause; zero for no pauses.
    init(length: Duration, now: @escaping Now) {
        self.length = length
        self.now = now
    }

    /// The remaining seconds of a key's pause; nil without a pause.
    func left(of key: String) -> Int? {
        guard length > .zero else { return nil }
        let now = now()
        return ends.withLock { ends in
            guard let end = ends[key] else { return nil }
            guard end > now else {
                ends[key] = nil
                return nil
            }
            return Int(((end - now) / .seconds(1)).rounded(.up))
        }
    }

    /// Begins a pause.
    ///
    /// - Parameter seconds: the minimum wait.
    /// - Returns: the pause in seconds.
    func begin(of key: String, atLeast seconds: Int) -> Int {
        guard length > .zero else { return seconds }
        let pause = max(length, .seconds(seconds))
        let end = now() + pause
        ends.withLock { $0[key] = end }
        return Int(pause / .seconds(1))
    }
}
