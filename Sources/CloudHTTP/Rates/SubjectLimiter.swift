package import CloudModel

/// Limits attempts at one subject by many networks, so that one network cannot lock out the others.
///
/// Each network has a number of attempts at a subject, and all networks share a second count of the same size. When the
/// shared count is used up, a network without previous attempts still gets a single attempt: a legitimate client gets
/// in, and a guesser needs a new network for each guess. The number of these first attempts is bounded too.
package struct SubjectLimiter: Sendable {
    private let own: AttemptLimiter
    private let all: AttemptLimiter
    private let firsts: AttemptLimiter?

    /// - Parameters:
    ///   - attempts: the limit per network, and the shared limit.
    ///   - firsts: the number of single attempts by further networks; 0 for none.
    package init(attempts: Int, firsts: Int, window: Duration, now: @escaping Now) {
        own = AttemptLimiter(attempts: attempts, window: window, now: now)
        all = AttemptLimiter(attempts: attempts, window: window, now: now)
        self.firsts = firsts > 0 ? AttemptLimiter(attempts: firsts, window: window, now: now) : nil
    }

    /// Takes one attempt at a subject.
    ///
    /// - Parameter network: the client's network; clients without a known network share one count.
    /// - Returns: nil if the attempt is allowed, else the seconds until the next attempt.
    package func take(_ subject: String, from network: String?) -> Int? {
        let key = Self.key(subject, network)
        let isFirst = own.isUntouched(key)
        if let seconds = own.take(key) { return seconds }
        guard let seconds = all.take(subject) else { return nil }
        if isFirst, let firsts, firsts.take(subject) == nil { return nil }
        own.giveBack(key)
        return seconds
    }

    /// Whether the shared count is used up, so that only first attempts remain.
    package func isUsedUp(_ subject: String) -> Bool { all.isUsedUp(subject) }

    /// Gives back an attempt that was no wrong guess.
    package func giveBack(_ subject: String, from network: String?) {
        own.giveBack(Self.key(subject, network))
        all.giveBack(subject)
    }

    private static func key(_ subject: String, _ network: String?) -> String { "\(network ?? "") \(subject)" }
}
