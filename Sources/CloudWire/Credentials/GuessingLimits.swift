package import CloudAccounts
package import CloudHTTP
package import CloudModel
import Foundation

/// A kind of secret that clients may guess. Each kind has counters of its own.
package enum Guess: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case managementToken = "management token"
    case pagePassword = "page password"
    case registration
    case passwordReset = "new password"
    case console
    case consoleCode = "console code"
    case identityToken = "identity token"
    case logoutToken = "logout token"

    /// Per regular attempt at a subject, the number of first attempts by further networks once the regular attempts are
    /// used up.
    ///
    /// None for console codes: six digits bear few guesses, and only a client with the right password can use up the
    /// attempts.
    fileprivate var firstsPerAttempt: Int { self == .consoleCode ? 0 : 100 }
}

/// Validated settings for the limits on guesses.
package struct GuessingSettings: Hashable, Sendable {
    /// Failed sign-ins to an account, or failed passwords for a page, per network. When failures from all networks
    /// reach this number, each further network has a single attempt.
    package var perAccount = 10
    /// The limit on failed attempts per kind and address.
    package var perAddress = 60
    /// The time in which all attempts refill.
    package var window = Duration.seconds(900)

    package init() {}
}

/// Counts attempts in memory. A restart clears the counts, but clients cannot cause a restart.
package struct GuessingLimits: Sendable {
    /// An attempt at a guess.
    package struct Attempt: Sendable {
        package let guess: Guess
        /// The client's address; nil when unknown.
        package let client: ClientAddress?
        /// The target, such as an email address in any letter case; nil for none.
        package var subject: String?
        /// The browser's device name, if the browser has signed in to the account before. Known browsers have attempts
        /// of their own, so that guesses from elsewhere do not lock the user out.
        package var device: String?
        /// The subject's name for the log.
        package var name: String?

        package init(
            guess: Guess, client: ClientAddress?, subject: String? = nil, device: String? = nil, name: String? = nil
        ) {
            self.guess = guess
            self.client = client
            self.subject = subject
            self.device = device
            self.name = name
        }
    }

    /// The person who requests a message to an address. Each has a separate count, so that strangers block neither
    /// operators nor the owner of the address.
    package enum MailSender {
        case stranger(ClientAddress?)
        /// A browser with an earlier sign-in to the account, by device name.
        case knownBrowser(String)
        case anOperator
    }

    /// The most messages per hour to one address from one requester.
    static let mails = 3
    /// The number of further networks that may each trigger one message per hour to an address.
    private static let firstMails = 27

    private struct Counters {
        let addresses: AttemptLimiter
        let subjects: SubjectLimiter
    }

    /// The limit on failed attempts per kind and address.
    package let perAddress: Int
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

    /// Takes an attempt: of the known browser, else of the address and the subject.
    ///
    /// - Returns: the request's place in the queue for password hashing.
    /// - Throws: a page with the time to wait.
    @discardableResult
    package func take(_ attempt: Attempt) throws(PageError) -> PasswordTurn {
        let turn = turn(attempt)
        if let seconds = secondsToWait(attempt) { throw Self.tooMany(seconds, perAddress) }
        return turn
    }

    /// Known browsers rank first, then addresses without failed attempts of this kind, unless the subject's attempts
    /// are used up: guesses at one account delay only sign-ins to that account.
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
    /// - Returns: nil when the attempt is allowed, else the seconds until the next attempt.
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

    /// Gives back the attempt after a correct guess.
    package func giveBack(_ attempt: Attempt) {
        if let device = attempt.device { return devices.giveBack(device) }
        guard let counters = counters[attempt.guess] else { return }
        if let client = attempt.client { counters.addresses.giveBack(client.text) }
        if let subject = attempt.subject {
            counters.subjects.giveBack(Self.key(subject), from: attempt.client?.network)
        }
    }

    /// Takes one of a requester's messages to an address.
    package func takeMail(to address: String, for sender: MailSender) throws(PageError) {
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

    /// A normalized account name, truncated to bound the memory.
    private static func key(_ account: String) -> String {
        String(account.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().prefix(254))
    }

    private static func tooMany(_ seconds: Int, _ most: Int) -> PageError {
        PageError(
            .tooManyRequests, Phrase("refused.tooMany.title"), advice(seconds), .limit(most), retryAfter: seconds)
    }

    private static func advice(_ seconds: Int) -> Phrase {
        switch seconds {
        case ...1: Phrase("wait.second")
        case ..<120: Phrase("wait.seconds", ["count": .number(seconds)])
        default: Phrase("wait.minutes", ["count": .number((seconds + 59) / 60)])
        }
    }
}
