package import CloudModel
import CloudStore
import Foundation

/// A thing that can be guessed. Each has counters of its own: whoever uses up one may still try the others.
package enum Guess: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case managementToken = "management token"
    case pagePassword = "page password"
    case registration
    case passwordReset = "new password"
    case console
    case consoleCode = "console code"

    /// First attempts of networks at one subject, once the attempts at it are used up, for each of those attempts.
    ///
    /// Whoever gets to a console code knows the password already, so nobody else can use up its attempts, and six
    /// digits bear few of them.
    fileprivate var firstsPerAttempt: Int { self == .consoleCode ? 0 : 100 }
}

/// The settings, checked, for how often somebody may try what can be guessed.
package struct GuessingSettings: Hashable, Sendable {
    /// Failed sign-ins for an account, and failed passwords for a page, from a network. The same number from all networks
    /// together leaves each further network a single attempt.
    package var perAccount = 10
    /// Attempts of one kind that fail, from one address.
    package var perAddress = 60
    /// The time until all of them may be made again.
    package var window = Duration.seconds(900)

    package init() {}
}

/// Counts how often somebody has tried. The counts are in memory: a restart clears them, which nobody outside can
/// cause.
package struct GuessingLimits: Sendable {
    /// One attempt at something.
    struct Attempt: Sendable {
        let guess: Guess
        /// The address that it comes from; nil when the connection does not tell.
        let client: ClientAddress?
        /// The target, such as an email address in any letter case; nil for nothing in particular.
        var subject: String?
        /// The browser, when it has signed in to the account before: it has attempts of its own, so that the guesses
        /// of others do not lock its user out.
        var device: String?
        /// The name that the log may use for the subject.
        var name: String?
    }

    /// Who asks for a message to an address. Each has a number of their own, so that strangers hold up neither an
    /// operator nor the person the address belongs to.
    enum MailSender {
        case stranger(ClientAddress?)
        /// A browser that has signed in to the account of the address, by its name.
        case knownBrowser(String)
        case anOperator
    }

    /// Messages to an address in an hour that a sender may ask for.
    static let mails = 3
    /// Networks beyond these that may have one message each sent to an address in an hour.
    private static let firstMails = 27

    private struct Counters {
        let addresses: AttemptLimiter
        let subjects: SubjectLimiter
    }

    /// Attempts of one kind that may fail, from one address.
    let perAddress: Int
    private let counters: [Guess: Counters]
    private let devices: AttemptLimiter
    private let strangersMails: SubjectLimiter
    private let ownMails: AttemptLimiter
    private let log: SecurityLog

    package init(_ settings: GuessingSettings, log: SecurityLog, now: @escaping Now) {
        perAddress = settings.perAddress
        let limiter = { (attempts: Int) in
            AttemptLimiter(attempts: attempts, window: settings.window, now: now)
        }
        counters = Dictionary(
            uniqueKeysWithValues: Guess.allCases.map {
                (
                    $0,
                    Counters(
                        addresses: limiter(settings.perAddress),
                        subjects: SubjectLimiter(
                            attempts: settings.perAccount, firsts: settings.perAccount * $0.firstsPerAttempt,
                            window: settings.window, now: now))
                )
            })
        devices = limiter(settings.perAccount)
        let hour = Duration.seconds(3600)
        strangersMails = SubjectLimiter(attempts: Self.mails, firsts: Self.firstMails, window: hour, now: now)
        ownMails = AttemptLimiter(attempts: Self.mails, window: hour, now: now)
        self.log = log
    }

    /// Takes an attempt: from a device that is known, else from an address and at a subject.
    ///
    /// - Returns: the place in the line of those whose password is hashed.
    /// - Throws: a page that tells how long to wait.
    @discardableResult
    func take(_ attempt: Attempt) throws(PageError) -> PasswordTurn {
        let turn = turn(attempt)
        if let seconds = secondsToWait(attempt) { throw Self.tooMany(seconds, perAddress) }
        return turn
    }

    /// Known browsers first, then addresses without a failed attempt of the kind, unless the attempts at their subject are
    /// used up: guesses at one account hold up nobody at another.
    private func turn(_ attempt: Attempt) -> PasswordTurn {
        if let device = attempt.device { return PasswordTurn(owner: "device \(device)", rank: .known) }
        guard let client = attempt.client?.text else { return PasswordTurn(owner: "nobody", rank: .other) }
        let counters = counters[attempt.guess]
        let isAttacked = attempt.subject.map { counters?.subjects.isUsedUp(Self.key($0)) ?? false } ?? false
        let isFresh = !isAttacked && counters?.addresses.isUntouched(client) ?? true
        return PasswordTurn(owner: client, rank: isFresh ? .fresh : .other)
    }

    /// Takes an attempt.
    ///
    /// - Returns: nil when it may be made, else the seconds until the next one may.
    func secondsToWait(_ attempt: Attempt) -> Int? {
        if let device = attempt.device { return refused(devices.take(device), attempt, by: "device") }
        guard let counters = counters[attempt.guess] else { return nil }
        if let client = attempt.client, let seconds = counters.addresses.take(client.text) {
            return refused(seconds, attempt, by: "address")
        }
        guard let subject = attempt.subject else { return nil }
        return refused(
            counters.subjects.take(Self.key(subject), from: attempt.client?.network), attempt, by: "account")
    }

    /// The attempt was right, so it does not count.
    func giveBack(_ attempt: Attempt) {
        if let device = attempt.device { return devices.giveBack(device) }
        guard let counters = counters[attempt.guess] else { return }
        if let client = attempt.client { counters.addresses.giveBack(client.text) }
        if let subject = attempt.subject {
            counters.subjects.giveBack(Self.key(subject), from: attempt.client?.network)
        }
    }

    /// Takes one of the few messages that a sender may ask for to an address.
    func takeMail(to address: String, for sender: MailSender) throws(PageError) {
        let address = Self.key(address)
        let seconds =
            switch sender {
            case .stranger(let client): strangersMails.take(address, from: client?.network)
            case .knownBrowser(let name): ownMails.take("browser \(name) \(address)")
            case .anOperator: ownMails.take("operator \(address)")
            }
        if let seconds { throw Self.tooMany(seconds, Self.mails) }
    }

    private func refused(_ seconds: Int?, _ attempt: Attempt, by counter: String) -> Int? {
        guard let seconds else { return nil }
        log.note(
            .lockOut, from: attempt.client,
            [
                "what": attempt.guess.rawValue, "counter": counter, "account": attempt.name, "seconds": "\(seconds)",
            ])
        return seconds
    }

    /// Equal for all that find the same account, and cut, so that a long text is not kept.
    private static func key(_ account: String) -> String {
        String(account.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().prefix(254))
    }

    private static func tooMany(_ seconds: Int, _ most: Int) -> PageError {
        PageError(
            .tooManyRequests, "Too many attempts", "Please wait \(duration(seconds)) and try again.", .limit(most),
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
