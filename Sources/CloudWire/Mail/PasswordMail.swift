package import CloudAccounts
package import CloudHTTP
import CloudModel
package import CloudOperations
import Logging

/// Mail about passwords, in the language of the requesting page or of the server.
package enum PasswordMail {
    /// Nil when the reset has no code, because no account may sign in with the address.
    package static func code(
        of reset: PasswordReset, origin: String, in language: PageLanguage, _ service: WireService
    ) -> MailMessage? {
        guard let code = reset.code else { return nil }
        return service.message(
            to: reset.email, language, subject: "mail.reset.subject", text: "mail.reset.text",
            [
                "code": .text(code), "site": .text(service.siteName), "address": .text(address(of: reset, origin)),
                "minutes": minutes,
            ])
    }

    /// The page that takes the code. It leads to no app: whoever asked for the reset may be somebody else.
    private static func address(of reset: PasswordReset, _ origin: String) -> String {
        "\(origin)/auth/reset?id=\(reset.id)"
    }

    /// The code that proves the owner of an address, for a connection to a provider.
    ///
    /// The page of its link connects only an identity that waits in the same browser.
    package static func proof(
        _ proof: AddressProof, at provider: String, to address: String, origin: String, in language: PageLanguage,
        _ service: WireService
    ) -> MailMessage {
        service.message(
            to: address, language, subject: "mail.connect.subject", text: "mail.connect.text",
            [
                "code": .text(proof.code), "site": .text(service.siteName), "title": .text(provider),
                "address": .text("\(origin)/auth/connect?id=\(proof.id)"), "minutes": minutes,
            ])
    }

    /// Nil without a published origin, and for an account without an address.
    package static func changed(
        of account: UserAccount, in language: PageLanguage, _ service: WireService
    ) -> MailMessage? {
        guard let origin = service.origin.forMail, let address = account.email else { return nil }
        return service.message(
            to: address, language, subject: "mail.changed.subject", text: "mail.changed.text",
            ["origin": .text(origin)])
    }

    /// A reset code on an operator's request. Nil when the reset has no code.
    ///
    /// - Parameter origin: the origin of the page that takes the code.
    static func asked(_ reset: PasswordReset, origin: String, _ service: WireService) -> MailMessage? {
        guard let code = reset.code else { return nil }
        return service.message(
            to: reset.email, service.settings.mailLanguage, subject: "mail.reset.subject", text: "mail.asked.text",
            [
                "code": .text(code), "address": .text(address(of: reset, origin)), "minutes": minutes,
            ])
    }

    static func invitation(to address: String, origin: String, _ service: WireService) -> MailMessage {
        service.message(
            to: address, service.settings.mailLanguage, subject: "mail.invitation.subject",
            text: service.settings.passwords == .on ? "mail.invitation.text" : "mail.invitation.noPassword",
            ["origin": .text(origin), "address": .text(address)])
    }

    private static var minutes: PhraseValue {
        .phrase(Phrase("mail.minutes", ["count": .number(Int(PasswordReset.lifetime / .seconds(60)))]))
    }
}

extension WireService {
    /// A message whose subject and text are keys of the tables of texts, signed with the name and the host of this server.
    func message(
        to address: String, _ language: PageLanguage, subject: String, text: String, _ values: [String: PhraseValue]
    ) -> MailMessage {
        let signature = [siteName, mailSite].reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return MailMessage(
            from: mailFrom, to: address, subject: language.text(subject),
            text: "\(language.text(text, values))\n\n-- \n\(signature.joined(separator: "\n"))")
    }
}

extension WireService {
    /// The sender's address of mail.
    package var mailFrom: String { settings.registration.mailFrom ?? "no-reply@\(mailSite)" }

    /// The operator's name for this server, else its host.
    var siteName: String { settings.mailName ?? mailSite }

    /// The host of this server in mail.
    var mailSite: String { origin.published?.host ?? "localhost" }

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
    package func requireMail() throws(PageError) -> String {
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
        Task { [self] in
            do { try await deliver(message) } catch {
                logger.error("a mail could not be sent", metadata: ["error": "\(error)"])
            }
        }
    }
}
