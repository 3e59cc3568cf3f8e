import CloudHTTP
import CloudModel

/// The texts and paths of a form for a mailed code.
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
    /// Advice on getting another code, shown for an invalid code.
    let remedy: String

    /// - Parameter id: the id of the registration or password reset.
    func page(_ call: PageCall, _ purpose: SignInPurpose, id: String, problem: PageError? = nil) throws -> Response {
        try call.formPage(problem: problem, policy: purpose.policy) { form in
            MailedCodePage(
                title: title, text: text, path: path, button: button, takesPassword: takesPassword, form: form,
                field: purpose.field.map(FilledField.init), problem: problem?.text, id: id,
                start: purpose.address(start))
        }
    }

    /// The problem to show for a rejected code. Wrong codes are noted in the security log.
    ///
    /// - Parameter attemptsLeft: nil when the code is used up, expired or unknown.
    func problem(_ call: PageCall, attemptsLeft: Int?) -> PageError {
        guard let attemptsLeft else {
            return PageError(.gone, title, "This code is no longer valid. \(remedy)", .credentials(.code))
        }
        call.site.security.note(.wrongCode, from: call.client)
        let attempts = attemptsLeft == 1 ? "one more attempt" : "\(attemptsLeft) more attempts"
        return PageError(.unauthorized, title, "Wrong code. You have \(attempts).", .credentials(.code))
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
