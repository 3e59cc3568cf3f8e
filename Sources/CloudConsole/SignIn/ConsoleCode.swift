import CloudAccounts
import CloudHTTP
import CloudWire
import CloudPages
import CloudModel

/// `/console/code`: checks the second factor, or sets it up for a new operator.
enum ConsoleCode {
    static let show: PageEndpoint = ConsoleGate.signingIn { page in
        guard let login = try await page.consoleLogin() else { return .seeOther("/console/signin") }
        guard !login.isComplete else { return .seeOther(ConsoleSignIn.way(page.query)) }
        return try form(page, login, back: page.query["return"])
    }

    static let submit: PageEndpoint = ConsoleGate.signingIn { page in
        guard let token = page.consoleToken, let login = try await page.consoleLogin(), !login.isComplete else {
            return .seeOther("/console/signin")
        }
        do {
            let done = try await complete(page, token, login)
            var response =
                done.recoveryCodes.isEmpty
                ? Response.seeOther(ConsoleSignIn.way(page.form)) : try recovery(page, done.recoveryCodes)
            response.setCookie(ConsoleSession.cookie(done.token, in: page))
            return response
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try form(page, login, back: page.form["return"], problem: problem)
        }
    }

    private static func complete(
        _ page: PageCall, _ token: String, _ login: ConsoleLogin
    ) async throws -> (token: String, recoveryCodes: [String]) {
        let (site, email) = (page.site, login.operator.account.handle)
        let attempt = GuessingLimits.Attempt(
            guess: .consoleCode, client: page.client, subject: email, name: email)
        try site.guessing.take(attempt)
        let done = try await site.accounts.consoleLogins.complete(
            token, code: page.form["code"] ?? "", enrolment: page.form["enrolment"] ?? "")
        guard let done else {
            site.security.note(.wrongConsoleCode, from: page.client, ["account": email])
            throw PageError(
                .unauthorized, english: "Code from your app",
                login.offered == nil
                    ? "That code is wrong, or was used before. The clock of your phone may be off."
                    : "One of the codes is wrong, was used before or is too old. An owner can give you another to set "
                        + "up the app with.", .credentials(.code))
        }
        site.guessing.giveBack(attempt)
        try await note(
            login.operator.account,
            done.recoveryCodes.isEmpty
                ? "signed in to the console" : "set up a second factor and signed in to the console", page)
        return done
    }

    /// Writes a complete sign-in into the security log and the audit log.
    static func note(_ account: UserAccount, _ action: String, _ page: PageCall) async throws {
        page.site.security.note(.operatorSignedIn, from: page.client, ["account": account.handle])
        try await page.site.accounts.audit.note(AuditNote(who: "operator \(account.handle)", action: action))
    }

    private static func form(
        _ page: PageCall, _ login: ConsoleLogin, back: String?, problem: PageError? = nil
    ) throws -> Response {
        try page.formPage(problem: problem) { form in
            View(
                form: form, offered: login.offered.map { offer($0.text, page, login) }, back: back ?? "",
                problem: problem?.text.english)
        }
    }

    /// - Parameter text: the TOTP secret in Base32.
    private static func offer(_ text: String, _ page: PageCall, _ login: ConsoleLogin) -> View.Offer {
        let host = page.request.head.authority ?? "Cumulus"
        let label = PercentEncoding.encode("\(host):\(login.operator.account.handle)")
        let groups = stride(from: 0, to: text.count, by: 4).map { text.dropFirst($0).prefix(4) }
        let address = "otpauth://totp/\(label)?secret=\(text)&issuer=\(PercentEncoding.encode(host))"
        return View.Offer(
            text: groups.joined(separator: " "), address: address, drawing: QRCode(address).map(QRCodeView.init))
    }

    private static func recovery(_ page: PageCall, _ codes: [String]) throws -> Response {
        try page.site.page(
            RecoveryView(
                codes: codes,
                file: "data:text/plain;charset=utf-8," + PercentEncoding.encode(codes.map { $0 + "\n" }.joined()),
                back: ConsoleSignIn.way(page.form)), in: .english)
    }
}

extension ConsoleCode {
    struct View: WebPage {
        static let template = "console-code"

        let title = "Code from your app"
        let form: String
        /// The setup of a second factor, for an operator without one.
        let offered: Offer?
        /// The path to return to.
        let back: String
        let problem: String?

        struct Offer: PageView {
            let text: String
            let address: String
            /// The `otpauth` address as a QR code; nil if the address is too long for a code.
            let drawing: QRCodeView?
        }
    }

    struct RecoveryView: WebPage {
        static let template = "console-recovery"

        let title = "Recovery codes"
        let codes: [String]
        /// A data URL of a file with one recovery code per line.
        let file: String
        let back: String
    }
}
