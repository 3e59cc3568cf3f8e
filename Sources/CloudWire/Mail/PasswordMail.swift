package import CloudAccounts
package import CloudHTTP
import CloudModel

/// Mail about passwords, in the language of the requesting page or of the server.
package enum PasswordMail {
    /// Nil when the reset has no code, because no account may sign in with the address.
    package static func code(
        of reset: PasswordReset, origin: String, in language: PageLanguage, _ mailer: Mailer
    ) -> MailMessage? {
        guard let code = reset.code else { return nil }
        return mailer.message(
            to: reset.email, language, subject: "mail.reset.subject", text: "mail.reset.text",
            [
                "code": .text(code), "site": .text(mailer.siteName), "address": .text(address(of: reset, origin)),
                "minutes": minutes,
            ])
    }

    /// The page that takes the code. It leads to no app, since a stranger may have asked for the reset.
    private static func address(of reset: PasswordReset, _ origin: String) -> String {
        "\(origin)/auth/reset?id=\(reset.id)"
    }

    /// The code that proves the owner of an address, for a connection to a provider.
    ///
    /// The page of its link connects only an identity that waits in the same browser.
    package static func proof(
        _ proof: AddressProof, at provider: String, to address: String, origin: String, in language: PageLanguage,
        _ mailer: Mailer
    ) -> MailMessage {
        mailer.message(
            to: address, language, subject: "mail.connect.subject", text: "mail.connect.text",
            [
                "code": .text(proof.code), "site": .text(mailer.siteName), "title": .text(provider),
                "address": .text("\(origin)/auth/connect?id=\(proof.id)"), "minutes": minutes,
            ])
    }

    /// Nil without a published origin, and for an account without an address.
    package static func changed(
        of account: UserAccount, in language: PageLanguage, _ mailer: Mailer
    ) -> MailMessage? {
        guard let origin = mailer.origin.forMail, let address = account.email else { return nil }
        return mailer.message(
            to: address, language, subject: "mail.changed.subject", text: "mail.changed.text",
            ["origin": .text(origin)])
    }

    /// A reset code on an operator's request. Nil when the reset has no code.
    ///
    /// - Parameter origin: the origin of the page that takes the code.
    static func asked(_ reset: PasswordReset, origin: String, _ mailer: Mailer) -> MailMessage? {
        guard let code = reset.code else { return nil }
        return mailer.message(
            to: reset.email, mailer.settings.mailLanguage, subject: "mail.reset.subject", text: "mail.asked.text",
            [
                "code": .text(code), "address": .text(address(of: reset, origin)), "minutes": minutes,
            ])
    }

    static func invitation(to address: String, origin: String, _ mailer: Mailer) -> MailMessage {
        mailer.message(
            to: address, mailer.settings.mailLanguage, subject: "mail.invitation.subject",
            text: mailer.settings.passwords == .on ? "mail.invitation.text" : "mail.invitation.noPassword",
            ["origin": .text(origin), "address": .text(address)])
    }

    private static var minutes: PhraseValue {
        .phrase(Phrase("mail.minutes", ["count": .number(Int(PasswordReset.lifetime / .seconds(60)))]))
    }
}
