package import CloudAccounts
import CloudEngine
package import CloudHTTP
import CloudModel
package import CloudOperations
import Logging

/// Sends mail to people in the name of this server.
package struct Mailer: Sendable {
    let settings: WireSettings
    let origin: PublicOrigin
    private let accounts: AccountStore
    private let guessing: GuessingLimits
    private let outbox: Outbox
    private let logger: Logger

    init(
        _ settings: WireSettings, origin: PublicOrigin, accounts: AccountStore, guessing: GuessingLimits,
        folder: DataFolder, logger: Logger
    ) {
        (self.settings, self.origin, self.accounts, self.guessing) = (settings, origin, accounts, guessing)
        (outbox, self.logger) = (Outbox(folder: folder, command: settings.registration.mailCommand), logger)
    }

    /// The sender's address.
    private var sender: String { settings.registration.mailFrom ?? "no-reply@\(host)" }

    /// The operator's name for this server, else its host.
    var siteName: String { settings.mailName ?? host }

    /// The server's host.
    private var host: String { origin.published?.host ?? "localhost" }

    /// A message whose subject and text are keys of the tables of texts, signed with the name and the host of this server.
    func message(
        to address: String, _ language: PageLanguage, subject: String, text: String, _ values: [String: PhraseValue]
    ) -> MailMessage {
        let signature = [siteName, host].reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return MailMessage(
            from: sender, to: address, subject: language.text(subject),
            text: "\(language.text(text, values))\n\n-- \n\(signature.joined(separator: "\n"))")
    }

    /// Sends an account's owner a message on an operator's request.
    ///
    /// - Throws: `BAD_REQUEST` without a public URL, since a request's `Host` header is not trustworthy; `THROTTLED`
    ///   after too many messages by operators in the last hour; `TRY_AGAIN_LATER` when mail cannot be sent.
    package func send(_ mail: PersonMail, to account: UserAccount) async throws {
        guard let origin = origin.forMail else {
            throw ServerError.badRequest(
                "no mail was sent: it would name no address of this server; set publicUrl to the origin that people "
                    + "reach it by")
        }
        guard let address = account.email else {
            throw ServerError.badRequest("the account of '\(account.handle)' has no address, so it gets no mail")
        }
        guard try await !accounts.identities.isMailOff(for: address) else {
            throw ServerError.badRequest("no mail was sent: the person has turned it off at Apple")
        }
        do { try guessing.takeMail(to: address, for: .anOperator) } catch {
            throw ServerError(
                .throttled,
                "the address has been sent \(GuessingLimits.mails) messages in the last hour, the most allowed; wait",
                .limit(GuessingLimits.mails),
                retryAfter: error.retryAfter)
        }
        switch mail {
        case .invitation: try await outbox.send(PasswordMail.invitation(to: address, origin: origin, self))
        case .passwordReset:
            let reset = try await accounts.passwordResets.begin(email: address)
            if let message = PasswordMail.asked(reset, origin: origin, self) { try await outbox.send(message) }
        }
    }

    /// The published origin for links in mail that anonymous clients can trigger.
    ///
    /// - Throws: a page that explains why the server sends no mail.
    package func requireOrigin() throws(PageError) -> String {
        if let origin = origin.forMail { return origin }
        throw PageError(.serviceUnavailable, key: "error.noMail", .server(.mail))
    }

    /// Sends a message, unless the person has turned mail to the address off at Apple.
    package func deliver(_ message: MailMessage) async throws {
        if try await !accounts.identities.isMailOff(for: message.to) { try await outbox.send(message) }
    }

    /// Sends a message in the background: a response time that includes sending would reveal which addresses have
    /// accounts.
    package func sendLater(_ message: MailMessage?) {
        guard let message else { return }
        Task {
            do { try await deliver(message) } catch {
                logger.error("a mail could not be sent", metadata: ["error": "\(error)"])
            }
        }
    }
}
