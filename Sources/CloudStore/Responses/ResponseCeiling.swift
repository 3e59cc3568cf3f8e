import CloudModel
import Synchronization

/// Bytes of answers that the process holds at once, from when they are read until they are written out.
///
/// The first bytes of each answer, and the rest of the large ones, have the same bounds each: small answers go on while
/// large ones are refused. State: the bytes held by each caller, under one lock.
package final class ResponseCeiling: Sendable {
    package enum Part: Sendable { case small, large }

    fileprivate struct Held {
        var total = 0
        var byCaller: [String: Int] = [:]
    }

    private let most: Int
    private let mostPerCaller: Int
    private let held = Mutex<(small: Held, large: Held)>((Held(), Held()))

    /// - Parameters:
    ///   - most: bytes of all answers together, of each part.
    ///   - mostPerCaller: bytes of all answers to one caller, of each part.
    package init(most: Int, mostPerCaller: Int) {
        self.most = most
        self.mostPerCaller = mostPerCaller
    }

    /// Bytes held now.
    package var total: Int { held.withLock { $0.small.total + $0.large.total } }

    /// - Throws: `THROTTLED` above the caller's bound, `TRY_AGAIN_LATER` above everybody's.
    func claim(_ bytes: Int, of part: Part, for caller: String) throws(ServerError) {
        let refusal = held.withLock { held in
            part == .small ? claim(bytes, for: caller, &held.small) : claim(bytes, for: caller, &held.large)
        }
        if let refusal { throw refusal }
    }

    /// - Throws: `THROTTLED` when large answers to the caller have reached its bound.
    func admit(_ caller: String) throws(ServerError) {
        if held.withLock({ $0.large.byCaller[caller, default: 0] >= mostPerCaller }) { throw throttled }
    }

    private var throttled: ServerError {
        ServerError(
            .throttled,
            "other answers to this caller are not read yet; together they may have \(mostPerCaller) bytes "
                + "(inFlight.answerBytesPerCaller)", .limit(mostPerCaller, "inFlight.answerBytesPerCaller"),
            retryAfter: 2)
    }

    private func claim(_ bytes: Int, for caller: String, _ held: inout Held) -> ServerError? {
        if held.byCaller[caller, default: 0] + bytes > mostPerCaller { return throttled }
        if held.total + bytes > most {
            return ServerError(
                .tryAgainLater,
                "too many answers are being sent; together they may have \(most) bytes (inFlight.answerBytes)",
                .limit(most, "inFlight.answerBytes"),
                retryAfter: 2)
        }
        held.add(bytes, caller)
        return nil
    }

    /// Counts bytes that are there already and cannot be refused.
    func count(_ bytes: Int, of part: Part, for caller: String) {
        held.withLock { held in
            if part == .small { held.small.add(bytes, caller) } else { held.large.add(bytes, caller) }
        }
    }

    func release(_ bytes: Int, of part: Part, for caller: String) {
        if bytes == 0 { return }
        count(-bytes, of: part, for: caller)
    }
}

extension ResponseCeiling.Held {
    fileprivate mutating func add(_ bytes: Int, _ caller: String) {
        total += bytes
        let sum = byCaller[caller, default: 0] + bytes
        byCaller[caller] = sum > 0 ? sum : nil
    }
}
