package import CloudModel
import Synchronization

/// The bytes of records that one answer may hold. It counts against the ceiling for as long as it lives.
package final class ResponseAllowance: Sendable {
    /// Bytes of each answer that are not held against the ceiling, so that small answers go on when it is reached.
    package static let uncounted = 64 << 10
    private static let step = 256 << 10

    /// Bytes after which the answer ends.
    package let limit: Int
    private let caller: String
    private let ceiling: ResponseCeiling?
    private let state = Mutex<(used: Int, claimed: Int)>((0, 0))

    /// - Parameters:
    ///   - limit: bytes; the record that reaches it is the last one.
    ///   - caller: who holds it, for the ceiling of each caller.
    ///   - ceiling: what the bytes count against; nil for answers that stay in the process.
    package init(limit: Int = .max, caller: String = "", ceiling: ResponseCeiling? = nil) {
        self.limit = limit
        self.caller = caller
        self.ceiling = ceiling
    }

    deinit { ceiling?.release(state.withLock { $0.claimed }, for: caller) }

    /// True if the response has all the bytes it may have.
    package var isFull: Bool { state.withLock { $0.used >= limit } }

    /// Counts the bytes of one more record.
    ///
    /// - Throws: `THROTTLED` or `TRY_AGAIN_LATER` when too many answers are in flight.
    package func take(_ bytes: Int) throws(ServerError) {
        try state.withLock { state throws(ServerError) in
            state.used += bytes
            let missing = state.used - Self.uncounted - state.claimed
            guard let ceiling, missing > 0 else { return }
            let claim = max(missing, Self.step)
            try ceiling.claim(claim, for: caller)
            state.claimed += claim
        }
    }

    /// Takes back what is counted from now on, but for what it holds of the ceiling.
    func undo() -> @Sendable () -> Void {
        let used = state.withLock { $0.used }
        return { self.state.withLock { $0.used = used } }
    }

    /// Counts an answer of so many bytes that is there already, whatever was counted before.
    package func count(_ bytes: Int) {
        state.withLock { state in
            let missing = bytes - Self.uncounted - state.claimed
            guard let ceiling, missing > 0 else { return }
            ceiling.count(missing, for: caller)
            state.claimed += missing
        }
    }
}
