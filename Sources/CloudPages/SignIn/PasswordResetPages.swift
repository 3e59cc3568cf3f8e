import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

/// `/auth/forgot` and `/auth/reset`: resets a forgotten password with a mailed code.
package enum PasswordResetPages {
    package static let show: PageEndpoint = { call in
        try call.site.requirePasswords()
        return try page(call, try await SignInPurpose.read(call.query, site: call.site))
    }

    /// `POST /auth/forgot`. Known and unknown addresses get the same answer in the same time.
    package static let submit: PageEndpoint = { call in
        try call.site.requirePasswords()
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        let origin = try call.site.wire.mailer.requireOrigin()
        do {
            let email = try call.form.text("email", atMost: 254)
            try call.site.guessing.take(GuessingLimits.Attempt(guess: .passwordReset, client: call.client))
            try call.site.guessing.takeMail(to: email, for: try await sender(of: email, call))
            let reset = try await call.site.accounts.passwordResets.begin(email: email)
            call.site.wire.mailer.sendLater(
                PasswordMail.code(of: reset, origin: origin, in: call.language, call.site.wire.mailer))
            return .seeOther(purpose.address("/auth/reset", adding: [("id", reset.id)]))
        } catch let error as ServerError where error.code == .badRequest {
            return try page(call, purpose, problem: PageError(error))
        } catch let error as PageError where error.status == .tooManyRequests {
            return try page(call, purpose, problem: error)
        }
    }

    static let showCode: PageEndpoint = { call in
        try call.site.requirePasswords()
        return try code.page(
            call, try await SignInPurpose.read(call.query, site: call.site), id: call.query["id"] ?? "")
    }

    /// `POST /auth/reset`: takes the code and the new password, signs the person in here and ends all other sessions.
    static let submitCode: PageEndpoint = { call in
        try call.site.requirePasswords()
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        let id = call.form["id"] ?? ""
        let attempt = GuessingLimits.Attempt(guess: .passwordReset, client: call.client)
        let turn = try call.site.guessing.take(attempt)
        do {
            let outcome = try await call.site.accounts.passwordResets.finish(
                id: id, code: call.form["code"] ?? "", password: call.form["password"] ?? "", turn: turn)
            switch outcome {
            case .done(let account):
                call.site.guessing.giveBack(attempt)
                call.site.wire.mailer.sendLater(
                    PasswordMail.changed(of: account, in: call.language, call.site.wire.mailer))
                return try await call.signedIn(account, purpose)
            case .wrong(let attemptsLeft):
                return try code.page(call, purpose, id: id, problem: code.problem(call, attemptsLeft: attemptsLeft))
            case .gone: return try code.page(call, purpose, id: id, problem: code.problem(call, attemptsLeft: nil))
            }
        } catch let error as ServerError where error.code == .badRequest {
            return try code.page(call, purpose, id: id, problem: PageError(error))
        }
    }

    private static let code = MailedCodeForm(
        title: "reset.title", text: "reset.text", path: "/auth/reset", button: "reset.button", takesPassword: true,
        start: "/auth/forgot", expired: "reset.expired")

    private static func sender(of email: String, _ call: PageCall) async throws -> GuessingLimits.MailSender {
        let device = try await call.site.accounts.users.find(email: email).flatMap(call.device)
        return device.map(GuessingLimits.MailSender.knownBrowser) ?? .stranger(call.client)
    }

    private static func page(_ call: PageCall, _ purpose: SignInPurpose, problem: PageError? = nil) throws -> Response {
        try call.formPage(problem: problem, policy: purpose.policy) { form in
            AddressView(
                title: call.text("forgot.title"), form: form, field: purpose.field.map(FilledField.init),
                problem: call.shown(problem),
                email: call.form["email"] ?? "", signIn: purpose.address("/auth/signin"))
        }
    }

    package struct AddressView: WebPage {
        package static let template = "forgot"

        package let title: String
        package let form: String
        package let field: FilledField?
        package let problem: String?
        package let email: String
        package let signIn: String
    }
}
