/// The retries of a request after transient failures.
public struct CKRetryPolicy: Sendable {
    public var tries: Int
    /// The upper bound of the pause after the first failure. The bound doubles with each failure; the actual pause is a random
    /// part of it.
    public var firstPause: Duration
    public var longestPause: Duration
    /// A longer `retryAfter` is thrown to the caller instead of waited for.
    public var longestRetryAfter: Duration

    public init(
        tries: Int = 5, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(30),
        longestRetryAfter: Duration = .seconds(60)
    ) {
        self.tries = tries
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.longestRetryAfter = longestRetryAfter
    }

    /// No retries.
    public static let never = CKRetryPolicy(tries: 1)

    func pause(after failures: Int) -> Duration {
        let most = min(longestPause, firstPause * (1 << min(failures - 1, 20)))
        return most * Double.random(in: 0...1)
    }
}
