package import CloudAccounts
package import CloudHTTP
import CloudModel

/// `/account`: shows and changes the signed-in person's account.
package enum AccountPage {
    package static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else { return signIn(back: "/account") }
        return try await page(call, account)
    }

    /// A redirect to the sign-in page, which returns to `back`.
    package static func signIn(back: String) -> Response {
        .seeOther("/auth/signin?return=\(PercentEncoding.encode(back))")
    }

    /// - Parameters:
    ///   - problem: the fault in the submitted form.
    ///   - form: the submitted form.
    package static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil, in form: AccountChange? = nil
    ) async throws -> Response {
        let accounts = call.site.accounts
        let here = call.cookie(BrowserSession.cookieName).map { OpenSession.id(ofBrowser: $0) }
        let sessions = try await accounts.sessions.list(email: account.idText).sorted { $0.lastUsed > $1.lastUsed }
        let places = try await call.dataPlaces(of: account)
        let hasPassword = try await accounts.users.hasPassword(account)
        let passkeys = try await PasskeyList(of: account, hasPassword: hasPassword, call)
        return try call.formPage(problem: problem) { guarded in
            View(
                title: call.text("account.title"), form: guarded, email: account.email ?? "",
                name: account.displayName(in: call.language),
                givenName: account.givenName ?? "",
                familyName: account.familyName ?? "", hasPassword: hasPassword,
                problem: form == .name || form == .password ? nil : call.shown(problem),
                nameProblem: form == .name ? call.shown(problem) : nil,
                passwordProblem: form == .password ? call.shown(problem) : nil,
                sessions: sessions.map { View.Session($0, isHere: $0.id == here, call.language) },
                hasOthers: sessions.contains { $0.id != here }, hasData: !places.isEmpty, places: places,
                passkeys: passkeys)
        }
    }

    package struct View: WebPage {
        package static let template = "account"

        package let title: String
        package let form: String
        package let email: String
        package let name: String
        package let givenName: String
        package let familyName: String
        package let hasPassword: Bool
        package let problem: String?
        let nameProblem: String?
        let passwordProblem: String?
        package let sessions: [Session]
        /// Whether the person has other sessions.
        let hasOthers: Bool
        let hasData: Bool
        package let places: [DataPlaceView]
        /// Nil where there are no passkeys.
        let passkeys: PasskeyList?

        package init(
            title: String, form: String, email: String, name: String, givenName: String, familyName: String,
            hasPassword: Bool,
            problem: String?, nameProblem: String?, passwordProblem: String?, sessions: [Session], hasOthers: Bool,
            hasData: Bool, places: [DataPlaceView], passkeys: PasskeyList? = nil
        ) {
            self.title = title
            self.form = form
            self.email = email
            self.name = name
            self.givenName = givenName
            self.familyName = familyName
            self.hasPassword = hasPassword
            self.problem = problem
            self.nameProblem = nameProblem
            self.passwordProblem = passwordProblem
            self.sessions = sessions
            self.hasOthers = hasOthers
            self.hasData = hasData
            self.places = places
            self.passkeys = passkeys
        }

        package struct Session: PageView {
            package let id: String
            package let name: String
            let detail: String
            /// True for the session of this browser.
            package let isHere: Bool
            package let used: String

            package init(_ session: OpenSession, isHere: Bool, _ language: PageLanguage) {
                id = session.id
                name = session.container ?? language.text("account.browser")
                detail = session.environment.map { " (\($0.rawValue))" } ?? ""
                self.isHere = isHere
                used = language.time(session.lastUsed)
            }
        }
    }
}
