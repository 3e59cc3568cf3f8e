package import CloudModel

/// Counts attempts at one subject by many clients, so that none closes it for the others.
///
/// Each network has a number of attempts at a subject, and all of them together have as many. When these are used up, a
/// network that has all of its attempts at this subject still has one: whoever knows the answer gets in, and a guesser needs
/// another network for each guess. A bound on those keeps many networks from guessing without end.
package struct SubjectLimiter: Sendable {
    private let own: AttemptLimiter
    private let all: AttemptLimiter
    private let firsts: AttemptLimiter?

    /// - Parameters:
    ///   - attempts: of each network, and of all of them together.
    ///   - firsts: first attempts of networks beyond these; 0 for none.
    package init(attempts: Int, firsts: Int, window: Duration, now: @escaping Now) {
        own = AttemptLimiter(attempts: attempts, window: window, now: now)
        all = AttemptLimiter(attempts: attempts, window: window, now: now)
        self.firsts = firsts > 0 ? AttemptLimiter(attempts: firsts, window: window, now: now) : nil
    }

    /// Takes one attempt at a subject.
    ///
    /// - Parameter network: of the client; nil where it is not known, which is one network.
    /// - Returns: nil if it may be made, else the seconds until the next one may.
    package func take(_ subject: String, from network: String?) -> Int? {
        let key = Self.key(subject, network)
        let isFirst = own.isUntouched(key)
        if let seconds = own.take(key) { return seconds }
        guard let seconds = all.take(subject) else { return nil }
        if isFirst, let firsts, firsts.take(subject) == nil { return nil }
        own.giveBack(key)
        return seconds
    }

    /// Whether the attempts of all networks together are used up, so that only first ones are left.
    package func isUsedUp(_ subject: String) -> Bool { all.isUsedUp(subject) }

    /// Gives an attempt back that turned out to be no guess.
    package func giveBack(_ subject: String, from network: String?) {
        own.giveBack(Self.key(subject, network))
        all.giveBack(subject)
    }

    private static func key(_ subject: String, _ network: String?) -> String { "\(network ?? "") \(subject)" }
}
