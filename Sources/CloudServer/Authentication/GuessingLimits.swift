package import Foundation
import HTTPTypes

/// How often somebody may try what can be guessed: settings, checked.
package struct GuessingSettings: Hashable, Sendable {
    /// Sign-ins that fail, for one account.
    package var perAccount = 10
    /// Attempts of any kind that fail, from one address.
    package var perAddress = 60
    /// Seconds until all of them may be made again.
    package var window = 900.0

    package init() {}
}

/// Who has tried how often. In memory: a restart forgives, which nobody outside can bring about.
package struct GuessingLimits: Sendable {
    private let accounts: AttemptLimiter
    private let addresses: AttemptLimiter
    private let mails: AttemptLimiter

    package init(_ settings: GuessingSettings, clock: @escaping @Sendable () -> Date = { Date() }) {
        accounts = AttemptLimiter(attempts: settings.perAccount, window: settings.window, clock: clock)
        addresses = AttemptLimiter(attempts: settings.perAddress, window: settings.window, clock: clock)
        mails = AttemptLimiter(attempts: 3, window: 3600, clock: clock)
    }

    /// Takes an attempt from an address, and one at an account if it is about one.
    ///
    /// - Parameter account: an email address, in whatever case.
    /// - Throws: a page that tells how long to wait.
    package func take(from client: ClientAddress?, at account: String? = nil) throws(PageError) {
        if let seconds = secondsToWait(from: client) { throw Self.tooMany(seconds) }
        guard let account, let seconds = accounts.take(Self.key(account)) else { return }
        throw Self.tooMany(seconds)
    }

    /// Takes an attempt from an address.
    ///
    /// - Returns: nil when it may be made, else the seconds until the next one may.
    func secondsToWait(from client: ClientAddress?) -> Int? { client.flatMap { addresses.take($0.text) } }

    /// The attempt was right, so it does not count.
    package func giveBack(from client: ClientAddress?, at account: String? = nil) {
        if let client { addresses.giveBack(client.text) }
        if let account { accounts.giveBack(Self.key(account)) }
    }

    /// Takes one of the few messages that anybody may have sent to an address.
    func takeMail(to address: String) throws(PageError) {
        if let seconds = mails.take(Self.key(address)) { throw Self.tooMany(seconds) }
    }

    /// Equal for all that find the same account, and cut, so that a long text is not kept.
    private static func key(_ account: String) -> String {
        String(account.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().prefix(254))
    }

    private static func tooMany(_ seconds: Int) -> PageError {
        PageError(
            .tooManyRequests, "Too many attempts", "Please wait \(duration(seconds)) and try again.",
            retryAfter: seconds)
    }

    private static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ...1: "a second"
        case ..<120: "\(seconds) seconds"
        default: "\((seconds + 59) / 60) minutes"
        }
    }
}
