import CloudModel
import Synchronization

/// Bytes of answers that the process holds at once, from when they are read until they are written out.
///
/// The first bytes of each answer, and the rest of the large ones, have the same bounds each: small answers go on while
/// large ones are refused. State: the bytes of each caller, under one lock.
package final class ResponseCeiling: Sendable {
    package enum Part: Sendable { case small, large }

    /// Callers that are remembered though they hold nothing, which most soon do again.
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

    /// What one caller holds. Touched under the lock of the ceiling.
    final class Caller: @unchecked Sendable {
        fileprivate var bytes = Bytes()
        /// Answers that may hold bytes.
        fileprivate var answers = 0

        fileprivate var isIdle: Bool { answers == 0 && bytes.small == 0 && bytes.large == 0 }
    }

    private struct State {
        var bytes = Bytes()
        var callers: [String: Caller] = [:]
        /// The number of callers from which those that hold nothing are forgotten.
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
    ///   - most: bytes of all answers together, of each part.
    ///   - mostPerCaller: bytes of all answers to one caller, of each part.
    package init(most: Int, mostPerCaller: Int) {
        self.most = most
        self.mostPerCaller = mostPerCaller
    }

    /// Bytes held now.
    package var total: Int { state.withLock { $0.bytes.small + $0.bytes.large } }

    /// The callers that are remembered.
    package var remembered: Int { state.withLock { $0.callers.count } }

    /// The caller of an answer that may hold bytes until they are released.
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

    /// - Throws: `THROTTLED` above the caller's bound, `TRY_AGAIN_LATER` above everybody's.
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

    /// - Throws: `THROTTLED` when large answers to the caller have reached its bound.
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

    /// Counts bytes that are there already and cannot be refused.
    func count(_ bytes: Int, of part: Part, for caller: Caller) {
        state.withLock { $0.add(bytes, of: part, for: caller) }
    }

    /// Ends an answer that holds so many bytes.
    func release(small: Int, large: Int, for caller: Caller) {
        state.withLock { state in
            state.add(-small, of: .small, for: caller)
            state.add(-large, of: .large, for: caller)
            caller.answers -= 1
        }
    }
}
