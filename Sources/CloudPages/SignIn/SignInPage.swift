package import CloudAccounts
package import CloudHTTP
import CloudWire
import CloudModel

/// `/auth/signin`: the target of a 421's `redirectURL`, and the sign-in for the server's own pages.
package enum SignInPage {
    /// The number of test people offered in development.
    private static let peopleShown = 8

    /// `GET`: the sign-in form, or the choice to continue as the signed-in account.
    package static let show: PageEndpoint = { call in
        let purpose = try await SignInPurpose.read(call.query, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        if call.query["other"] == nil, let address = try await ProviderLinks.atOnce(call, purpose),
            try await call.session() == nil
        {
            return .seeOther(address)
        }
        return try await form(call, purpose, isOther: call.query["other"] != nil)
    }

    /// The page with the sign-in form.
    ///
    /// - Parameters:
    ///   - isOther: true to ask for credentials even if an account is signed in.
    ///   - problem: the fault in the submitted form.
    package static func form(
        _ call: PageCall, _ purpose: SignInPurpose, isOther: Bool = false, email: String? = nil,
        problem: PageError? = nil
    ) async throws -> Response {
        let current = isOther ? nil : try await call.session()?.account
        let people = current == nil && hasTestPeople(call) ? try await people(call) : nil
        let providers = current == nil ? try await ProviderLinks.all(call, purpose) : nil
        var appName: String?
        if case .app(let app) = purpose {
            appName = try await call.site.accounts.pageRules.app(container: app.container.id)?.name
        }
        let takesPasswords = call.site.takesPasswords
        let hasPasskeys = current == nil && call.passkeys.isPossible
        return try call.formPage(problem: problem, policy: purpose.policy) { form in
            var view = View(
                title: call.language.text(problem?.title ?? Phrase("signin.title")), form: form,
                field: purpose.field.map(FilledField.init),
                problem: call.shown(problem), email: email ?? "",
                current: current.map { SignedInPerson($0, in: call.language) },
                isPlain: current != nil && purpose.field == nil,
                app: View.App(purpose, known: appName, pictures: call.site.apps, in: call.language),
                isNewAccountWelcome: takesPasswords && call.site.wire.settings.registration.isOpen,
                register: purpose.address("/auth/register"), forgot: purpose.address("/auth/forgot"),
                other: purpose.address("/auth/signin", adding: [("other", "1")]), people: people, providers: providers,
                hasPasskeys: hasPasskeys, asksPassword: current == nil && takesPasswords,
                isClosed: current == nil && !takesPasswords && providers == nil && !hasPasskeys && people == nil)
            view.siteName = call.site.settings.siteName
            return view
        }
    }

    /// Whether the page offers test people. Apps on other sites legitimately link here, so only the host of the request
    /// is checked.
    private static func hasTestPeople(_ call: PageCall) -> Bool {
        let http = call.site.wire.http
        return http.dev && DevelopmentGate(http).placeFault(call.request.head) == nil
    }

    private static func people(_ call: PageCall) async throws -> View.People {
        let known = try await call.site.accounts.users.enabled(limit: peopleShown)
        return View.People(known: known.map { View.TestPerson($0, in: call.language) })
    }
}

extension UserAccount {
    /// The person's full name; else the email address, or `Person` and the account's id.
    package func displayName(in language: PageLanguage) -> String {
        let name = [givenName, familyName].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? email ?? language.text("person.nameless", ["id": .text(idText)]) : name
    }
}
