package import CloudAccounts

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

    package init(_ registration: Registration, origin: String, _ service: WireService) {
        message = MailMessage(
            from: service.mailFrom,
            to: registration.email,
            subject: registration.code == nil ? "You have an account already" : "Your code",
            text: Self.text(code: registration.code, origin: origin))
    }

    private static func text(code: String?, origin: String) -> String {
        guard let code else {
            return """
                Somebody, probably you, asked for an account with this address at
                \(origin)

                There is one already: sign in with its password. If you have
                forgotten it, "Forgot your password?" beside it leads to a new one.
                """
        }
        let minutes = Int(Registration.lifetime / .seconds(60))
        return """
            Your code is \(code)

            Enter it at \(origin)
            within \(minutes) minutes, where you asked for an account. If that was not you,
            do nothing: without the code nobody can use your address.
            """
    }
}
