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

    private static func message(to: String, subject: String, _ text: String, _ site: Site) -> MailMessage {
        MailMessage(from: site.mailFrom, to: to, subject: subject, text: text)
    }
}

extension Site {
    /// The address that mail comes from.
    var mailFrom: String {
        configuration.registration.mailFrom ?? "no-reply@\(origin.published?.host ?? "localhost")"
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
