import CloudModel
import Synchronization

/// Limits the bytes of responses in memory, from reading to sending.
///
/// The small part (first bytes) and the large part (the rest) of responses have equal but separate limits: small responses
/// continue while large ones are refused. State: the bytes of each caller, under one lock.
package final class ResponseCeiling: Sendable {
    package enum Part: Sendable { case small, large }

    /// Idle callers to keep, since most soon return.
    private static let mostIdle = 1000

    /// Bytes of each part.
    struct Bytes {
        var small = 0
        var large = 0

        subscript(_ part: Part) -> Int {
            get { part == .small ? small : large }
            set { if part == .small { small = newValue } else { large = newValue } }
        }
    }

    /// One caller's bytes. Access under the ceiling's lock.
    final class Caller: @unchecked Sendable {
        fileprivate var bytes = Bytes()
        /// Responses that may hold bytes.
        fileprivate var answers = 0

        fileprivate var isIdle: Bool { answers == 0 && bytes.small == 0 && bytes.large == 0 }
    }

    private struct State {
        var bytes = Bytes()
        var callers: [String: Caller] = [:]
        /// The number of callers at which idle ones are dropped.
        var most = mostIdle

        mutating func add(_ count: Int, of part: Part, for caller: Caller) {
            bytes[part] += count
            caller.bytes[part] += count
        }
    }

    private let most: Int
    private let mostPerCaller: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - most: the process-wide limit, in bytes per part.
    ///   - mostPerCaller: the limit per caller, in bytes per part.
    package init(most: Int, mostPerCaller: Int) {
        self.most = most
        self.mostPerCaller = mostPerCaller
    }

    /// Bytes in memory now.
    package var total: Int { state.withLock { $0.bytes.small + $0.bytes.large } }

    /// The number of callers, idle ones included.
    package var remembered: Int { state.withLock { $0.callers.count } }

    /// Registers a response of a caller, until the release of its bytes.
    func caller(_ name: String) -> Caller {
        state.withLock { state in
            if let known = state.callers[name] {
                known.answers += 1
                return known
            }
            if state.callers.count >= state.most {
                state.callers = state.callers.filter { !$0.value.isIdle }
                state.most = state.callers.count + Self.mostIdle
            }
            let new = Caller()
            new.answers = 1
            state.callers[name] = new
            return new
        }
    }

    /// - Throws: `THROTTLED` above the caller's limit, `TRY_AGAIN_LATER` above the common limit.
    func claim(_ bytes: Int, of part: Part, for caller: Caller) throws(ServerError) {
        let refusal = state.withLock { state -> ServerError.Code? in
            if caller.bytes[part] + bytes > mostPerCaller { return .throttled }
            if state.bytes[part] + bytes > most { return .tryAgainLater }
            state.add(bytes, of: part, for: caller)
            return nil
        }
        guard let refusal else { return }
        if refusal == .throttled { throw throttled }
        throw ServerError(
            .tryAgainLater,
            "too many answers are being sent; together they may have \(most) bytes (inFlight.answerBytes)",
            .limit(most, "inFlight.answerBytes"),
            retryAfter: 2)
    }

    /// - Throws: `THROTTLED` when the caller's large responses are at their limit.
    func admit(_ name: String) throws(ServerError) {
        if state.withLock({ $0.callers[name].map { $0.bytes.large >= mostPerCaller } ?? (mostPerCaller <= 0) }) {
            throw throttled
        }
    }

    private var throttled: ServerError {
        ServerError(
            .throttled,
            "other answers to this caller are not read yet; together they may have \(mostPerCaller) bytes "
                + "(inFlight.answerBytesPerCaller)", .limit(mostPerCaller, "inFlight.answerBytesPerCaller"),
            retryAfter: 2)
    }

    /// Counts bytes that are already in memory, above the limits too.
    func count(_ bytes: Int, of part: Part, for caller: Caller) {
        state.withLock { $0.add(bytes, of: part, for: caller) }
    }

    /// Ends a response with this many bytes.
    func release(small: Int, large: Int, for caller: Caller) {
        state.withLock { state in
            state.add(-small, of: .small, for: caller)
            state.add(-large, of: .large, for: caller)
            caller.answers -= 1
        }
    }
}
