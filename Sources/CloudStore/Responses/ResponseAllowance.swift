package import CloudModel
import Synchronization

/// The bytes of records that one answer may hold. It counts against the ceiling for as long as it lives.
package final class ResponseAllowance: Sendable {
    /// Bytes of each answer that count among the small answers, so that these go on while large ones are refused.
    package static let small = 64 << 10
    private static let steps = (small: 8 << 10, large: 256 << 10)

    /// Bytes after which the answer ends.
    package let limit: Int
    private let name: String
    private let ceiling: ResponseCeiling?
    private let state = Mutex(State())

    private struct State {
        var used = 0
        var small = 0
        var large = 0
        /// Bytes at which a read that is to take a moment ends; nil outside of one.
        var brief: Int?
        /// Nil until bytes count against the ceiling.
        var caller: ResponseCeiling.Caller?

        mutating func caller(_ name: String, of ceiling: ResponseCeiling) -> ResponseCeiling.Caller {
            if let caller { return caller }
            let new = ceiling.caller(name)
            caller = new
            return new
        }
    }

    /// Bytes that a read may have read after a moment.
    private static let mostBrief = 128 << 10

    /// - Parameters:
    ///   - limit: bytes; the record that reaches it is the last one.
    ///   - caller: who holds it, for the ceiling of each caller.
    ///   - ceiling: what the bytes count against; nil for answers that stay in the process.
    package init(limit: Int = .max, caller: String = "", ceiling: ResponseCeiling? = nil) {
        self.limit = limit
        name = caller
        self.ceiling = ceiling
    }

    deinit {
        state.withLock { state in
            if let caller = state.caller { ceiling?.release(small: state.small, large: state.large, for: caller) }
        }
    }

    /// True if the response has all the bytes it may have.
    package var isFull: Bool { state.withLock { $0.used >= min(limit, $0.brief ?? limit) } }

    /// Counts the bytes of one more record.
    ///
    /// - Throws: `THROTTLED` or `TRY_AGAIN_LATER` when too many answers are in flight.
    package func take(_ bytes: Int) throws(ServerError) {
        try state.withLock { state throws(ServerError) in
            state.used += bytes
            guard let ceiling else { return }
            let missing = Self.missing(state.used, state.small, state.large)
            if missing.small > 0 {
                let claim = min(max(missing.small, Self.steps.small), Self.small - state.small)
                try ceiling.claim(claim, of: .small, for: state.caller(name, of: ceiling))
                state.small += claim
            }
            guard missing.large > 0 else { return }
            let claim = max(missing.large, Self.steps.large)
            try ceiling.claim(claim, of: .large, for: state.caller(name, of: ceiling))
            state.large += claim
        }
    }

    /// Lets a write begin, whose answer cannot be refused once it is done.
    ///
    /// - Throws: `THROTTLED` while large answers to the caller have reached its bound.
    package func admit() throws(ServerError) { try ceiling?.admit(name) }

    /// Takes back what is counted from now on, but for what it holds of the ceiling.
    func undo() -> @Sendable () -> Void {
        let used = state.withLock { $0.used }
        return { self.state.withLock { $0.used = used } }
    }

    /// Runs `body`, for which the response is full after the bytes that can be read in a moment.
    ///
    /// - Returns: nil if it was full for that reason; what `body` counted is taken back then, and where it throws.
    func briefly<T>(_ body: () throws -> T) rethrows -> T? {
        let used = state.withLock { state in
            state.brief = state.used + Self.mostBrief
            return state.used
        }
        var isOver = false
        defer {
            state.withLock { state in
                state.brief = nil
                if !isOver { state.used = used }
            }
        }
        let value = try body()
        isOver = state.withLock { $0.used < min(limit, $0.brief ?? limit) || limit <= used + Self.mostBrief }
        return isOver ? value : nil
    }

    /// Counts an answer of so many bytes that is there already, whatever was counted before.
    package func count(_ bytes: Int) {
        state.withLock { state in
            guard let ceiling else { return }
            let missing = Self.missing(bytes, state.small, state.large)
            if missing.small > 0 {
                ceiling.count(missing.small, of: .small, for: state.caller(name, of: ceiling))
                state.small += missing.small
            }
            if missing.large > 0 {
                ceiling.count(missing.large, of: .large, for: state.caller(name, of: ceiling))
                state.large += missing.large
            }
        }
    }

    /// Bytes of an answer that are not counted yet.
    private static func missing(_ bytes: Int, _ small: Int, _ large: Int) -> (small: Int, large: Int) {
        (min(bytes, Self.small) - small, bytes - Self.small - large)
    }
}
