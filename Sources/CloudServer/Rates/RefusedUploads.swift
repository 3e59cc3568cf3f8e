import CloudModel
import CloudStore
import Synchronization

/// Counts the bytes of uploads that came to nothing: for the user whose link it was, or for the address where the link
/// was none of this server's.
struct RefusedUploads: Sendable {
    private static let setting: StaticString = "rate.refusedUploadBytes"
    /// The time in which as many bytes may come to nothing.
    private static let window = Duration.seconds(900)

    private let most: Int
    private let limiter: AttemptLimiter

    /// - Parameter most: bytes in a quarter of an hour; nil is made for 0, which stands for no limit.
    init?(_ most: Int, now: @escaping Now) {
        guard most > 0 else { return nil }
        self.most = most
        limiter = AttemptLimiter(attempts: most, window: Self.window, now: now)
    }

    /// - Throws: `THROTTLED` while too many bytes have come to nothing.
    func check(_ key: String) throws(ServerError) {
        guard let seconds = limiter.wait(of: key) else { return }
        throw ServerError(
            .throttled,
            "too much was uploaded in vain, at most \(most) bytes in 15 minutes are allowed (\(known: Self.setting))",
            .limit(most, Self.setting), retryAfter: seconds)
    }

    func note(_ bytes: Int, of key: String) { limiter.spend(bytes, of: key) }
}

/// The number of bytes of an upload that have come.
final class ReceivedBytes: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock(\.self) }

    func add(_ bytes: Int) { state.withLock { $0 += bytes } }
}
