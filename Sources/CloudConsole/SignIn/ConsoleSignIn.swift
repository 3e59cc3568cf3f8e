import CloudAccounts
import CloudHTTP
import CloudWire
import CloudPages
import CloudModel

/// `/console/signin`: the ways to sign in, before the second factor.
enum ConsoleSignIn {
    static let show: PageEndpoint = ConsoleGate.signingIn { page in
        if try await page.consoleLogin()?.isComplete == true { return .seeOther(way(page.query)) }
        return try await form(page, back: page.query["return"])
    }

    static let submit: PageEndpoint = ConsoleGate.signingIn { page in
        do {
            let (token, account) = try await begin(page)
            if let old = page.consoleToken { try await page.site.accounts.consoleLogins.end(old) }
            var response = Response.seeOther(ConsoleAddress.make("/console/code", [("return", way(page.form))]))
            response.setCookie(ConsoleSession.cookie(token, in: page))
            response.setCookie(page.deviceCookie(for: account))
            return response
        } catch let problem as PageError where [.unauthorized, .tooManyRequests].contains(problem.status) {
            return try await form(page, back: page.form["return"], problem: problem)
        }
    }

    static let signOut: PageEndpoint = ConsoleGate.signingIn { page in
        if let token = page.consoleToken { try await page.site.accounts.consoleLogins.end(token) }
        var response = Response.seeOther("/console/signin")
        response.setCookie(ConsoleSession.cookie("", in: page, maxAge: 0))
        return response
    }

    /// The console path to return to after sign-in; the overview if the path is outside the console.
    static func way(_ fields: FormFields) -> String {
        guard let text = fields["return"], let path = OwnPath(text)?.text,
            path == "/console" || path.hasPrefix("/console/") || path.hasPrefix("/console?")
        else { return ConsoleView.overview.path }
        return path
    }

    /// Signs in the operator named by the form. Wrong password, unknown address and non-operator get the same answer.
    private static func begin(_ page: PageCall) async throws -> (token: String, account: UserAccount) {
        guard page.site.takesPasswords else {
            throw PageError(
                .forbidden, english: "Passwords are off", "The setting signIn.passwords is off on this server.",
                .credentials(.passwordsOff))
        }
        let (site, email) = (page.site, page.form["email"] ?? "")
        let known = email.utf8.count <= 254 ? try await site.accounts.users.find(email: email) : nil
        let attempt = GuessingLimits.Attempt(
            guess: .console, client: page.client, subject: email, device: known.flatMap(page.device),
            name: known?.email)
        let turn = try site.guessing.take(attempt)
        let account = try await site.accounts.users.find(
            email: email, password: page.form["password"] ?? "", turn: turn)
        guard let account, account.emailVerified,
            let token = try await site.accounts.consoleLogins.begin(account: account)
        else {
            site.security.note(
                .signInFailed, from: page.client, ["account": known?.email ?? "unknown", "at": "console"])
            throw PageError(
                .unauthorized, english: "Sign in", "Wrong email address or password.", .credentials(.password))
        }
        site.guessing.giveBack(attempt)
        return (token, account)
    }

    static func form(_ page: PageCall, back: String?, problem: PageError? = nil) async throws -> Response {
        let providers = try await ConsoleProvider.links(page, back: back ?? "")
        let hasPasskeys = page.passkeys.isPossible
        return try page.formPage(problem: problem) { form in
            View(
                form: form, server: page.request.head.authority ?? "this server", email: page.form["email"] ?? "",
                back: back ?? "", problem: problem?.text.english, takesPasswords: page.site.takesPasswords,
                hasPasskeys: hasPasskeys, providers: providers)
        }
    }

    struct View: WebPage {
        static let template = "console-signin"

        let title = "Sign in"
        let form: String
        let server: String
        let email: String
        /// The path to return to.
        let back: String
        let problem: String?
        let takesPasswords: Bool
        let hasPasskeys: Bool
        let providers: [Provider]

        struct Provider: PageView {
            let title: String
            let address: String
        }
    }
}
