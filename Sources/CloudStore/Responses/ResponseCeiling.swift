import CloudModel
import Synchronization

/// Bytes of answers that the process holds at once, from when they are read until they are written out.
///
/// State: the bytes held by each caller, under one lock.
package final class ResponseCeiling: Sendable {
    private let most: Int
    private let mostPerCaller: Int
    private let held = Mutex<(total: Int, byCaller: [String: Int])>((0, [:]))

    /// - Parameters:
    ///   - most: bytes of all answers together.
    ///   - mostPerCaller: bytes of all answers to one caller.
    package init(most: Int, mostPerCaller: Int) {
        self.most = most
        self.mostPerCaller = mostPerCaller
    }

    /// Bytes held now.
    package var total: Int { held.withLock { $0.total } }

    /// - Throws: `THROTTLED` above the caller's bound, `TRY_AGAIN_LATER` above everybody's.
    func claim(_ bytes: Int, for caller: String) throws(ServerError) {
        let refusal = held.withLock { held -> ServerError? in
            if held.byCaller[caller, default: 0] + bytes > mostPerCaller {
                return ServerError(
                    .throttled,
                    "other answers to this caller are not read yet; together they may have \(mostPerCaller) bytes "
                        + "(inFlight.answerBytesPerCaller)", .limit(mostPerCaller, "inFlight.answerBytesPerCaller"),
                    retryAfter: 2)
            }
            if held.total + bytes > most {
                return ServerError(
                    .tryAgainLater,
                    "too many answers are being sent; together they may have \(most) bytes (inFlight.answerBytes)",
                    .limit(most, "inFlight.answerBytes"),
                    retryAfter: 2)
            }
            Self.add(bytes, caller, &held)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Counts bytes that are there already and cannot be refused.
    func count(_ bytes: Int, for caller: String) { held.withLock { Self.add(bytes, caller, &$0) } }

    func release(_ bytes: Int, for caller: String) {
        held.withLock { held in
            held.total -= bytes
            let rest = held.byCaller[caller, default: 0] - bytes
            held.byCaller[caller] = rest > 0 ? rest : nil
        }
    }

    private static func add(_ bytes: Int, _ caller: String, _ held: inout (total: Int, byCaller: [String: Int])) {
        held.total += bytes
        held.byCaller[caller, default: 0] += bytes
    }
}
