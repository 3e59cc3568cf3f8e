package import CloudModel
import Synchronization

/// Limits the bytes of records in one response, and counts them against the ceiling until it is released.
package final class ResponseAllowance: Sendable {
    /// Bytes of each response that count as small, so that small responses continue while large ones are refused.
    package static let small = 64 << 10
    private static let steps = (small: 8 << 10, large: 256 << 10)

    /// Bytes after which the response ends.
    package let limit: Int
    private let name: String
    private let ceiling: ResponseCeiling?
    private let state = Mutex(State())

    private struct State {
        var used = 0
        var small = 0
        var large = 0
        /// The number of bytes that ends a brief read; nil outside of brief reads.
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

    /// The most bytes for a brief read.
    package static let mostBrief = 128 << 10

    /// - Parameters:
    ///   - limit: bytes; the record that reaches the limit is the last.
    ///   - caller: the caller's name, for the ceiling's limit per caller.
    ///   - ceiling: the ceiling for the bytes; nil for responses within the process.
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

    /// True if the response has reached its limit.
    package var isFull: Bool { state.withLock { $0.used >= min(limit, $0.brief ?? limit) } }

    /// Counts the bytes of another record.
    ///
    /// - Throws: `THROTTLED` or `TRY_AGAIN_LATER` when too many responses are in flight.
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

    /// Checks the ceiling before a write, whose response cannot be refused afterwards.
    ///
    /// - Throws: `THROTTLED` while the caller's large responses are at their limit.
    package func admit() throws(ServerError) { try ceiling?.admit(name) }

    /// Returns a function that resets the count to its present value; claimed bytes of the ceiling stay claimed.
    func undo() -> @Sendable () -> Void {
        let used = state.withLock { $0.used }
        return { self.state.withLock { $0.used = used } }
    }

    /// Runs `body` with a smaller limit: the bytes of a brief read.
    ///
    /// - Returns: nil if `body` reached the smaller limit, which resets the count. An error resets it too.
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

    /// Counts a finished response of this size, in place of earlier counts.
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

    /// Bytes of a response that are not counted yet.
    private static func missing(_ bytes: Int, _ small: Int, _ large: Int) -> (small: Int, large: Int) {
        (min(bytes, Self.small) - small, bytes - Self.small - large)
    }
}
