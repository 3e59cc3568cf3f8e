import CloudModel
import CloudOperations
import CloudStore
import Logging

/// Mail to people about their password.
enum PasswordMail {
    /// Nil when there is nobody to tell.
    static func code(of reset: PasswordReset, _ site: Site) -> MailMessage? {
        guard let code = reset.code else { return nil }
        let minutes = Int(PasswordReset.lifetime / .seconds(60))
        return message(
            to: reset.email, subject: "Your code for a new password",
            """
            Your code is \(code)

            Enter it \(site.origin.published.map { "at \($0.origin)" } ?? "on the page that asked for it")
            within \(minutes) minutes, where you asked for a new password. If that was not
            you, do nothing: without the code your password stays as it is.
            """, site)
    }

    static func changed(of account: UserAccount, _ site: Site) -> MailMessage {
        message(
            to: account.email, subject: "Your password was changed",
            """
            The password of your account\(site.origin.published.map { " at \($0.origin)" } ?? "")
            has just been changed, and you are signed out everywhere else.

            If that was not you, somebody else can read your mail. Ask whoever runs
            the server to disable your account, and set a new password for your mail.
            """, site)
    }

    /// The code of a reset that an operator has begun. Nil when there is nobody to tell.
    ///
    /// - Parameter origin: of the page that takes the code.
    static func asked(_ reset: PasswordReset, origin: String, _ site: Site) -> MailMessage? {
        guard let code = reset.code else { return nil }
        let minutes = Int(PasswordReset.lifetime / .seconds(60))
        return message(
            to: reset.email, subject: "Your code for a new password",
            """
            Your code is \(code)

            Enter it with a new password within \(minutes) minutes at
            \(origin)/auth/reset?id=\(reset.id)
            Whoever runs the server has asked for it. Until then your old password stays.
            """, site)
    }

    static func invitation(of account: UserAccount, origin: String, _ site: Site) -> MailMessage {
        message(
            to: account.email, subject: "You have an account",
            """
            Whoever runs \(origin) has made an account for you.
            Its address is this one: \(account.email)

            Set its password at \(origin)/auth/forgot
            where a code comes to this address. If you do not know what this is
            about, do nothing: nobody else can use your address.
            """, site)
    }

    private static func message(to: String, subject: String, _ text: String, _ site: Site) -> MailMessage {
        MailMessage(from: site.mailFrom, to: to, subject: subject, text: text)
    }
}

extension Site {
    /// The address that mail comes from.
    var mailFrom: String {
        configuration.registration.mailFrom ?? "no-reply@\(origin.published?.host ?? "localhost")"
    }

    /// Sends somebody a message about their account that an operator asks for.
    ///
    /// - Parameter called: the origin by which the operator has called this server.
    /// - Throws: `BAD_REQUEST` when no address for the person to open is known; `THROTTLED` when operators have sent
    ///   them several in this hour; `TRY_AGAIN_LATER` when none can be sent.
    func send(_ mail: PersonMail, to account: UserAccount, called: String) async throws {
        let origin = try mailOrigin(called: called)
        do { try guessing.takeMail(to: account.email, for: .anOperator) } catch {
            throw ServerError(
                .throttled,
                "the address has been sent \(GuessingLimits.mails) messages in the last hour, the most allowed; wait",
                .limit(GuessingLimits.mails),
                retryAfter: error.retryAfter)
        }
        switch mail {
        case .invitation: try await outbox.send(PasswordMail.invitation(of: account, origin: origin, self))
        case .passwordReset:
            let reset = try await accounts.resetPassword(email: account.email)
            if let message = PasswordMail.asked(reset, origin: origin, self) { try await outbox.send(message) }
        }
    }

    /// The origin that an operator's message leads to: the public one, else what the operator calls the server, as in
    /// other links. A message that anybody may ask for names the public one alone.
    private func mailOrigin(called: String) throws(ServerError) -> String {
        if let known = origin.published?.origin { return known }
        if configuration.dev { return called }
        guard let named = WebOrigin(called), !named.isLocal else {
            throw .badRequest(
                "no mail was sent: its link would lead to \(called), which opens on the server's own machine alone; "
                    + "set publicUrl to the address that people reach the server by")
        }
        return called
    }

    /// Sends a message without anybody waiting for it: how long that takes would tell who has an account.
    func sendLater(_ message: MailMessage) {
        Task { [outbox, logger] in
            do { try await outbox.send(message) } catch {
                logger.error("a mail could not be sent", metadata: ["error": "\(error)"])
            }
        }
    }
}
