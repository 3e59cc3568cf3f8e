import CloudAccounts
import CloudHTTP
import CloudModel
import CloudPages
import CloudWire

/// `/console/with`: where an operator comes back to from a provider, which is the first factor. A form of this page goes on:
/// the console's cookie is not sent with a way that another site began.
enum ConsoleProvider {
    static let path = "/console/with"
    /// How long a sign-in at a provider opens the way to the console.
    private static let freshness = Duration.seconds(600)

    static let show: PageEndpoint = ConsoleGate.signingIn { page in
        guard let (account, _) = try await signIn(page) else { return back(page.query) }
        return try page.formPage { form in
            View(
                form: form, name: account.displayName(in: .english), email: account.email ?? "",
                back: page.query["return"] ?? "", problem: nil)
        }
    }

    static let submit: PageEndpoint = ConsoleGate.signingIn { page in
        guard let (account, login) = try await signIn(page) else { return back(page.form) }
        guard let token = try await page.site.accounts.consoleLogins.begin(account: account, from: login) else {
            page.site.security.note(.signInFailed, from: page.client, ["account": account.handle, "at": "console"])
            let problem = PageError(
                .forbidden, english: "Sign in", "This account may not use the console.", .credentials(.operatorRole))
            return try page.formPage(problem: problem) { form in
                View(
                    form: form, name: account.displayName(in: .english), email: account.email ?? "",
                    back: page.form["return"] ?? "", problem: problem.text.english)
            }
        }
        if let old = page.consoleToken { try await page.site.accounts.consoleLogins.end(old) }
        var response = Response.seeOther(
            ConsoleAddress.make("/console/code", [("return", ConsoleSignIn.way(page.form))]))
        response.setCookie(ConsoleSession.cookie(token, in: page))
        return response
    }

    /// The links of the console's sign-in page.
    static func links(_ page: PageCall, back: String) async throws -> [ConsoleSignIn.View.Provider] {
        let target = ConsoleAddress.make(path, [("return", back.isEmpty ? nil : back)])
        return try await page.site.accounts.providers.all().map {
            ConsoleSignIn.View.Provider(
                title: $0.title, address: ConsoleAddress.make($0.callbackPath, [("return", target)]))
        }
    }

    /// This browser's person, signed in at a provider in the last ten minutes; nil for another.
    private static func signIn(_ page: PageCall) async throws -> (UserAccount, ProviderLogin)? {
        guard let account = try await page.session()?.account, let login = try await page.providerLogin(),
            page.site.accounts.now() - login.time < freshness
        else { return nil }
        return (account, login)
    }

    private static func back(_ fields: FormFields) -> Response {
        .seeOther(ConsoleAddress.make("/console/signin", [("return", fields["return"])]))
    }

    struct View: WebPage {
        static let template = "console-with"

        let title = "Sign in"
        let form: String
        let name: String
        let email: String
        /// The path to return to.
        let back: String
        let problem: String?
    }
}
