package import CloudAccounts
package import CloudHTTP
import CloudModel
package import CloudOperations
import Logging

/// Mail about passwords.
package enum PasswordMail {
    /// Nil when the reset has no code, because no account may sign in with the address.
    package static func code(of reset: PasswordReset, origin: String, _ service: WireService) -> MailMessage? {
        guard let code = reset.code else { return nil }
        let minutes = Int(PasswordReset.lifetime / .seconds(60))
        return message(
            to: reset.email, subject: "Your code for a new password",
            """
            Your code is \(code)

            Enter it at \(origin)
            within \(minutes) minutes, where you asked for a new password. If that was not
            you, do nothing: without the code your password stays as it is.
            """, service)
    }

    /// Nil without a published origin, and for an account without an address.
    package static func changed(of account: UserAccount, _ service: WireService) -> MailMessage? {
        guard let origin = service.origin.forMail, let address = account.email else { return nil }
        return message(
            to: address, subject: "Your password was changed",
            """
            The password of your account at \(origin)
            has just been changed, and you are signed out everywhere else.

            If that was not you, somebody else can read your mail. Ask whoever runs
            the server to disable your account, and set a new password for your mail.
            """, service)
    }

    /// A reset code on an operator's request. Nil when the reset has no code.
    ///
    /// - Parameter origin: the origin of the page that takes the code.
    static func asked(_ reset: PasswordReset, origin: String, _ service: WireService) -> MailMessage? {
        guard let code = reset.code else { return nil }
        let minutes = Int(PasswordReset.lifetime / .seconds(60))
        return message(
            to: reset.email, subject: "Your code for a new password",
            """
            Your code is \(code)

            Enter it with a new password within \(minutes) minutes at
            \(origin)/auth/reset?id=\(reset.id)
            Whoever runs the server has asked for it. Until then your old password stays.
            """, service)
    }

    static func invitation(to address: String, origin: String, _ service: WireService) -> MailMessage {
        message(
            to: address, subject: "You have an account",
            """
            Whoever runs \(origin) has made an account for you.
            Its address is this one: \(address)

            Set its password at \(origin)/auth/forgot
            where a code comes to this address. If you do not know what this is
            about, do nothing: nobody else can use your address.
            """, service)
    }

    private static func message(to: String, subject: String, _ text: String, _ service: WireService) -> MailMessage {
        MailMessage(from: service.mailFrom, to: to, subject: subject, text: text)
    }
}

extension WireService {
    /// The sender's address of mail.
    package var mailFrom: String {
        settings.registration.mailFrom ?? "no-reply@\(origin.published?.host ?? "localhost")"
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
    package func requireMail() throws(PageError) -> String {
        if let origin = origin.forMail { return origin }
        throw PageError(
            .serviceUnavailable, "No mail can be sent",
            "This server does not know the address that people reach it by, so it sends no mail. Whoever runs it can set "
                + "publicUrl, or your password.", .server(.mail))
    }

    /// Sends a message in the background: a response time that includes sending would reveal which addresses have
    /// accounts.
    package func sendLater(_ message: MailMessage?) {
        guard let message else { return }
        Task { [outbox, logger] in
            do { try await outbox.send(message) } catch {
                logger.error("a mail could not be sent", metadata: ["error": "\(error)"])
            }
        }
    }
}
