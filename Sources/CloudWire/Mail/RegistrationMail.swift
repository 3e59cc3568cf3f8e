package import CloudAccounts
package import CloudHTTP

/// Settings for self-registration and its mail.
package struct RegistrationSettings: Hashable, Sendable {
    package var isOpen = false
    /// The program that receives each message on standard input, with the recipient as an argument; nil for the outbox
    /// folder.
    package var mailCommand: String?
    /// The sender's address; nil for `no-reply` at the server's own host.
    package var mailFrom: String?

    package init() {}
}

/// The mail to a registered address. Only the address's owner can read it.
package struct RegistrationMail {
    package let message: MailMessage

    /// - Parameter language: the language of the registration page.
    package init(_ registration: Registration, origin: String, in language: PageLanguage, _ mailer: Mailer) {
        guard let code = registration.code else {
            message = mailer.message(
                to: registration.email, language, subject: "mail.known.subject", text: "mail.known.text",
                ["origin": .text(origin)])
            return
        }
        let minutes = Phrase("mail.minutes", ["count": .number(Int(Registration.lifetime / .seconds(60)))])
        // The link has no id: it leads to the code's page only in the browser that asked. The address's owner must not confirm an
        // account of a stranger, who knows its password.
        message = mailer.message(
            to: registration.email, language, subject: "mail.code.subject", text: "mail.code.text",
            [
                "code": .text(code), "site": .text(mailer.siteName), "address": .text("\(origin)/auth/confirm"),
                "minutes": .phrase(minutes),
            ])
    }
}
