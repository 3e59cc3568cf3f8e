import CloudHTTP
import CloudModel

/// Text keys and paths of a form for a mailed code.
struct MailedCodeForm: Sendable {
    let title: String
    let text: String
    /// The path to which the form posts the code.
    let path: String
    let button: String
    /// True if the form also takes a new password.
    let takesPassword: Bool
    /// The path of the page that mails another code.
    let start: String
    /// The text for an invalid code, with advice on getting another.
    let expired: String

    /// - Parameter id: the id of the registration or password reset.
    func page(_ call: PageCall, _ purpose: SignInPurpose, id: String, problem: PageError? = nil) throws -> Response {
        try call.formPage(problem: problem, policy: purpose.policy) { form in
            MailedCodePage(
                title: call.text(title), text: call.text(text), path: path, button: call.text(button),
                takesPassword: takesPassword, form: form,
                field: purpose.field.map(FilledField.init), problem: call.shown(problem), id: id,
                start: purpose.address(start))
        }
    }

    /// The problem to show for a rejected code. Wrong codes are noted in the security log.
    ///
    /// - Parameter attemptsLeft: nil when the code is used up, expired or unknown.
    func problem(_ call: PageCall, attemptsLeft: Int?) -> PageError {
        guard let attemptsLeft else {
            return PageError(.gone, Phrase(title), Phrase(expired), .credentials(.code))
        }
        call.site.security.note(.wrongCode, from: call.client)
        return PageError(
            .unauthorized, Phrase(title), Phrase("code.wrong", ["count": .number(attemptsLeft)]), .credentials(.code))
    }
}

package struct MailedCodePage: WebPage {
    package static let template = "code"

    package let title: String
    package let text: String
    package let path: String
    package let button: String
    let takesPassword: Bool
    package let form: String
    package let field: FilledField?
    package let problem: String?
    package let id: String
    package let start: String
}
