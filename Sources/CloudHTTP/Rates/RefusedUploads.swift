package import CloudModel
import Synchronization

/// Counts the bytes of failed uploads: against the link's user, or against the address if the link is not this
/// server's.
package struct RefusedUploads: Sendable {
    private static let setting: StaticString = "rate.refusedUploadBytes"
    /// The window in which the limit applies.
    private static let window = Duration.seconds(900)

    /// The limit on bytes in progress, as a multiple of the limit on failed bytes.
    private static let underWayFactor = 4

    private let most: Int
    private let limiter: AttemptLimiter
    private let underWay = UnderWay()

    /// - Parameter most: the limit in bytes per quarter of an hour; nil is returned for 0, which means unlimited.
    package init?(_ most: Int, now: @escaping Now) {
        guard most > 0 else { return nil }
        self.most = most
        limiter = AttemptLimiter(attempts: most, window: Self.window, now: now)
    }

    /// - Throws: `THROTTLED` after too many failed bytes.
    package func check(_ key: String) throws(ServerError) {
        guard let seconds = limiter.wait(of: key) else { return }
        throw ServerError(
            .throttled,
            "too much was uploaded in vain, at most \(most) bytes in 15 minutes are allowed (\(known: Self.setting))",
            .limit(most, Self.setting), retryAfter: seconds)
    }

    /// Counts the start of an upload.
    ///
    /// - Parameter announced: the announced size in bytes; 0 if unknown.
    /// - Throws: `THROTTLED` after too many failed bytes, or while too many bytes are in progress. A single upload may
    ///   have any size.
    package func begin(_ announced: Int, of key: String) throws(ServerError) -> Trial {
        try check(key)
        let mostUnderWay = Self.underWayFactor * most
        guard underWay.begin(announced, of: key, most: mostUnderWay) else {
            throw ServerError(
                .throttled,
                "the uploads under way are too large together, at most \(mostUnderWay) bytes are allowed "
                    + "(\(Self.underWayFactor) times \(known: Self.setting))", .limit(mostUnderWay, Self.setting),
                retryAfter: 1)
        }
        return Trial(self, key, announced)
    }

    /// Counts discarded bytes against an address. A separate counter from the address's uploads lets other clients at
    /// the address continue uploading.
    ///
    /// - Returns: false when too many bytes were discarded.
    package func dropped(_ bytes: Int, of address: String) -> Bool {
        limiter.spend(bytes, of: "dropped \(address)")
        return limiter.wait(of: "dropped \(address)") == nil
    }

    /// The bytes in progress by key, under one lock.
    private final class UnderWay: Sendable {
        private let bytes = Mutex<[String: Int]>([:])

        func begin(_ count: Int, of key: String, most: Int) -> Bool {
            bytes.withLock { bytes in
                let before = bytes[key] ?? 0
                guard before == 0 || before + count <= most else { return false }
                bytes[key] = before + count
                return true
            }
        }

        func add(_ count: Int, of key: String) { bytes.withLock { $0[key, default: 0] += count } }

        func end(_ count: Int, of key: String) {
            bytes.withLock { bytes in
                let left = (bytes[key] ?? 0) - count
                bytes[key] = left > 0 ? left : nil
            }
        }
    }

    /// An upload in progress.
    package final class Trial: Sendable {
        private let uploads: RefusedUploads
        private let key: String
        private let state: Mutex<(come: Int, counted: Int, hasEnded: Bool)>

        fileprivate init(_ uploads: RefusedUploads, _ key: String, _ counted: Int) {
            (self.uploads, self.key) = (uploads, key)
            state = Mutex((0, counted, false))
        }

        /// Counts received bytes.
        ///
        /// - Throws: `THROTTLED` if the upload exceeds its announced size and too many bytes have failed.
        package func take(_ bytes: Int) throws(ServerError) {
            try state.withLock { state throws(ServerError) in
                state.come += bytes
                guard !state.hasEnded, state.come > state.counted else { return }
                try uploads.check(key)
                uploads.underWay.add(state.come - state.counted, of: key)
                state.counted = state.come
            }
        }

        /// Ends an upload that succeeded or failed through no fault of the client, and counts nothing.
        package func forgive() { end { _ in 0 } }

        /// Counts a refused upload by its received bytes. If nothing was read, the announced bytes count, because the
        /// client may still send them.
        package func fail() { end { $0.come == 0 ? $0.counted : $0.come } }

        /// Counts an interrupted upload by its received bytes.
        package func end() { end { $0.come } }

        private func end(_ inVain: (_ bytes: (come: Int, counted: Int)) -> Int) {
            let bytes = state.withLock { state in
                defer { state.hasEnded = true }
                return state.hasEnded ? nil : (state.come, state.counted)
            }
            guard let bytes else { return }
            uploads.underWay.end(bytes.1, of: key)
            let lost = inVain(bytes)
            if lost > 0 { uploads.limiter.spend(lost, of: key) }
        }
    }
}
