import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

/// `/auth/register` and `/auth/confirm`: self-registration, if the operator permits it.
package enum RegistrationPages {
    package static let show: PageEndpoint = { call in
        try requireOpen(call)
        return try page(call, try await SignInPurpose.read(call.query, site: call.site))
    }

    /// `POST /auth/register`. Known and unknown addresses get the same answer.
    package static let submit: PageEndpoint = { call in
        try requireOpen(call)
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        let origin = try call.site.wire.mailer.requireOrigin()
        do {
            let email = try call.form.text("email", atMost: 254)
            let turn = try call.site.guessing.take(
                GuessingLimits.Attempt(guess: .registration, client: call.client))
            try call.site.guessing.takeMail(to: email, for: .stranger(call.client))
            let registration = try await call.site.accounts.registrations.begin(
                email: email, password: call.form["password"] ?? "", givenName: try name("givenName", call),
                familyName: try name("familyName", call), turn: turn)
            try await call.site.wire.mailer.deliver(
                RegistrationMail(registration, origin: origin, in: call.language, call.site.wire.mailer).message)
            let address = purpose.address(PendingRegistration.path, adding: [("id", registration.id)])
            var response = Response.seeOther(address)
            response.setCookie(PendingRegistration.cookie(registration.id, purpose, call))
            return response
        } catch let error as ServerError where error.code == .badRequest {
            return try page(call, purpose, problem: PageError(error))
        } catch let error as PageError where error.status == .tooManyRequests {
            return try page(call, purpose, problem: error)
        }
    }

    static let showCode: PageEndpoint = { call in
        try requireOpen(call)
        let purpose = try await SignInPurpose.read(call.query, site: call.site)
        if let id = call.query["id"] { return try code.page(call, purpose, id: id) }
        if let address = PendingRegistration.address(call) { return .seeOther(address) }
        let elsewhere = PageError(.gone, Phrase("confirm.title"), Phrase("confirm.elsewhere"), .credentials(.code))
        return try code.page(call, purpose, id: "", problem: elsewhere)
    }

    /// `POST /auth/confirm`: a right code proves the address and signs its owner in.
    static let submitCode: PageEndpoint = { call in
        try requireOpen(call)
        try call.requireOwnForm()
        let purpose = try await SignInPurpose.read(call.form, site: call.site)
        let id = call.form["id"] ?? ""
        let attempt = GuessingLimits.Attempt(guess: .registration, client: call.client)
        try call.site.guessing.take(attempt)
        switch try await call.site.accounts.registrations.confirm(id: id, code: call.form["code"] ?? "") {
        case .confirmed(let account):
            call.site.guessing.giveBack(attempt)
            var response = try await call.signedIn(account, purpose)
            response.setCookie(PendingRegistration.ended(call))
            return response
        case .wrong(let attemptsLeft):
            return try code.page(call, purpose, id: id, problem: code.problem(call, attemptsLeft: attemptsLeft))
        case .gone: return try code.page(call, purpose, id: id, problem: code.problem(call, attemptsLeft: nil))
        }
    }

    private static let code = MailedCodeForm(
        title: "confirm.title", text: "confirm.text", path: "/auth/confirm", button: "confirm.button",
        takesPassword: false, start: "/auth/register", expired: "confirm.expired")

    private static func requireOpen(_ call: PageCall) throws(PageError) {
        guard call.site.wire.settings.registration.isOpen else {
            throw PageError(.notFound, Phrase("refused.notFound.title"), Phrase("register.closed"), .address)
        }
        try call.site.requirePasswords()
    }

    private static func name(_ field: String, _ call: PageCall) throws(ServerError) -> String? {
        (call.form[field] ?? "").allSatisfy(\.isWhitespace) ? nil : try call.form.text(field, atMost: 100)
    }

    private static func page(_ call: PageCall, _ purpose: SignInPurpose, problem: PageError? = nil) throws -> Response {
        try call.formPage(problem: problem, policy: purpose.policy) { form in
            AccountView(
                title: call.text("register.title"), form: form, field: purpose.field.map(FilledField.init),
                problem: call.shown(problem),
                email: call.form["email"] ?? "", givenName: call.form["givenName"] ?? "",
                familyName: call.form["familyName"] ?? "", signIn: purpose.address("/auth/signin"))
        }
    }

    package struct AccountView: WebPage {
        package static let template = "register"

        package let title: String
        package let form: String
        package let field: FilledField?
        package let problem: String?
        package let email: String
        package let givenName: String
        package let familyName: String
        package let signIn: String
    }
}
