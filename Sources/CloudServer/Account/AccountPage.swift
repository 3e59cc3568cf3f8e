import CloudModel
import CloudStore

/// `/account`: shows and changes the signed-in person's account.
enum AccountPage {
    static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else { return signIn(back: "/account") }
        return try await page(call, account)
    }

    /// A redirect to the sign-in page, which returns to `back`.
    static func signIn(back: String) -> Response {
        .seeOther("/auth/signin?return=\(PercentEncoding.encode(back))")
    }

    /// - Parameters:
    ///   - problem: the fault in the submitted form.
    ///   - form: the submitted form.
    static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil, in form: AccountChange? = nil
    ) async throws -> Response {
        let accounts = call.site.accounts
        let language = PageLanguage(acceptLanguage: call.request.headers[.acceptLanguage])
        let here = call.cookie(BrowserSession.cookieName).map { OpenSession.id(ofBrowser: $0) }
        let sessions = try await accounts.sessions.list(email: account.email).sorted { $0.lastUsed > $1.lastUsed }
        let places = try await call.dataPlaces(of: account)
        let hasPassword = try await accounts.users.hasPassword(account)
        return try call.formPage(problem: problem) { guarded in
            View(
                form: guarded, email: account.email, name: account.displayName, givenName: account.givenName ?? "",
                familyName: account.familyName ?? "", hasPassword: hasPassword,
                problem: form == .name || form == .password ? nil : problem?.text,
                nameProblem: form == .name ? problem?.text : nil,
                passwordProblem: form == .password ? problem?.text : nil,
                sessions: sessions.map { View.Session($0, isHere: $0.id == here, language) },
                hasOthers: sessions.contains { $0.id != here }, hasData: !places.isEmpty, places: places)
        }
    }

    struct View: WebPage {
        static let template = "account"

        let title = "Your account"
        let form: String
        let email: String
        let name: String
        let givenName: String
        let familyName: String
        let hasPassword: Bool
        let problem: String?
        let nameProblem: String?
        let passwordProblem: String?
        let sessions: [Session]
        /// Whether the person has other sessions.
        let hasOthers: Bool
        let hasData: Bool
        let places: [DataPlaceView]

        struct Session: PageView {
            let id: String
            let name: String
            let detail: String
            /// True for the session of this browser.
            let isHere: Bool
            let used: String

            init(_ session: OpenSession, isHere: Bool, _ language: PageLanguage) {
                id = session.id
                name = session.container ?? "A browser"
                detail = session.environment.map { " (\($0.rawValue))" } ?? ""
                self.isHere = isHere
                used = language.time(session.lastUsed)
            }
        }
    }
}
