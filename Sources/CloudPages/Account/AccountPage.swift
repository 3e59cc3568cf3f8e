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
        let places = try await DataPlaceView.all(of: account, call)
        let apps = try await AppNames(accounts: accounts).names(of: Set(sessions.compactMap(\.container)))
        let hasPassword = try await call.site.hasPassword(account)
        let providers = try await AccountProviders.all(call, account)
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
                sessions: sessions.map {
                    View.Session(
                        $0, app: $0.container.flatMap { apps[$0] },
                        picture: $0.container.flatMap(call.site.apps.path), isHere: $0.id == here, call.language)
                },
                hasOthers: sessions.contains { $0.id != here }, hasData: !places.isEmpty, places: places,
                providers: providers, passkeys: passkeys, takesPasswords: call.site.takesPasswords)
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
        /// Nil without providers and identities.
        package let providers: AccountProviders?
        /// Nil where there are no passkeys.
        let passkeys: PasskeyList?
        let takesPasswords: Bool

        package init(
            title: String, form: String, email: String, name: String, givenName: String, familyName: String,
            hasPassword: Bool,
            problem: String?, nameProblem: String?, passwordProblem: String?, sessions: [Session], hasOthers: Bool,
            hasData: Bool, places: [DataPlaceView], providers: AccountProviders? = nil,
            passkeys: PasskeyList? = nil, takesPasswords: Bool = true
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
            self.providers = providers
            self.passkeys = passkeys
            self.takesPasswords = takesPasswords
        }

        package struct Session: PageView {
            package let id: String
            package let name: String
            let detail: String
            /// The path of the app's picture; nil for none.
            let picture: String?
            /// True for the session of this browser.
            package let isHere: Bool
            package let used: String

            /// - Parameters:
            ///   - app: the name of the session's app; nil if unknown.
            ///   - picture: the path of the app's picture; nil for none.
            package init(
                _ session: OpenSession, app: String? = nil, picture: String? = nil, isHere: Bool,
                _ language: PageLanguage
            ) {
                (id, self.picture) = (session.id, picture)
                name = app ?? session.container ?? Self.browser(session.browser, language)
                let place = [app == nil ? nil : session.container, session.environment?.rawValue].compactMap(\.self)
                detail = place.isEmpty ? "" : " (\(language.list(place)))"
                self.isHere = isHere
                used = language.time(session.lastUsed)
            }

            private static func browser(_ name: BrowserName?, _ language: PageLanguage) -> String {
                guard let name else { return language.text("account.browser") }
                return language.text(
                    "account.browserOn",
                    ["browser": .text(name.browser.rawValue), "device": .text(name.device.rawValue)])
            }
        }
    }
}
