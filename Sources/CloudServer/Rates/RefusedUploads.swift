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

    /// Counts an upload that begins: as if all that is announced came to nothing, until it is known what does.
    ///
    /// - Throws: as ``check(_:)``.
    func begin(_ announced: Int, of key: String) throws(ServerError) -> Trial {
        try check(key)
        limiter.spend(announced, of: key)
        return Trial(self, key, announced)
    }

    /// Counts bytes that are dropped since nobody reads them. They count for an address, and not as its uploads, which
    /// others at the address would have to pay for.
    ///
    /// - Returns: false when too many were dropped.
    func dropped(_ bytes: Int, of address: String) -> Bool {
        limiter.spend(bytes, of: "dropped \(address)")
        return limiter.wait(of: "dropped \(address)") == nil
    }

    /// An upload under way.
    final class Trial: Sendable {
        /// Bytes by which an upload that announces nothing is counted.
        private static let step = 1 << 20

        private let uploads: RefusedUploads
        private let key: String
        private let state: Mutex<(come: Int, counted: Int)>

        fileprivate init(_ uploads: RefusedUploads, _ key: String, _ counted: Int) {
            (self.uploads, self.key) = (uploads, key)
            state = Mutex((0, counted))
        }

        /// Counts bytes that have come.
        ///
        /// - Throws: `THROTTLED` when more than was announced has come and too many bytes have come to nothing.
        func take(_ bytes: Int) throws(ServerError) {
            try state.withLock { state throws(ServerError) in
                state.come += bytes
                guard state.come > state.counted else { return }
                try uploads.check(key)
                let more = max(Self.step, state.come - state.counted)
                uploads.limiter.spend(more, of: key)
                state.counted += more
            }
        }

        /// Counts an upload no longer that has come to something, or has failed by no fault of the client's.
        func forgive() { keep { _ in 0 } }

        /// Counts an upload that was refused by the bytes that have come; where none was read, by those that are announced,
        /// which come, or might, all the same.
        func fail() { keep { $0.come == 0 ? $0.counted : $0.come } }

        /// Counts an upload that was broken off by the bytes that have come.
        func end() { keep { $0.come } }

        private func keep(_ rest: (_ bytes: (come: Int, counted: Int)) -> Int) {
            let bytes = state.withLock { state in
                let left = min(rest(state), state.counted)
                defer { state.counted = left }
                return state.counted - left
            }
            uploads.limiter.giveBack(bytes, of: key)
        }
    }
}
