import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import CloudWire

/// `/auth/with/{name}`: signs in at a provider, by the code flow.
package enum ProviderSignIn {
    /// `GET` begins a sign-in, or takes the provider's answer.
    package static let show: PageEndpoint = { call in
        let provider = try await find(call)
        if let text = call.query[KeptAnswer.field] {
            let answer = KeptAnswer.open(text, of: provider.name, call) ?? []
            return try await take(answer, provider, call)
        }
        guard ["state", "code", "error"].contains(where: { call.query[$0] != nil }) else {
            return try await begin(provider, call)
        }
        let answer = call.query.names.flatMap { name in call.query.all(name).map { (name: name, value: $0) } }
        return try await take(answer, provider, call)
    }

    /// `POST` takes an answer by form, from another site. Its `state` is checked when the GET brings the cookies.
    package static let post: PageEndpoint = { call in
        let provider = try await find(call)
        let kept = try KeptAnswer.seal(call.form, of: provider.name, call)
        return .seeOther("\(provider.callbackPath)?\(KeptAnswer.field)=\(kept)")
    }

    private static func find(_ call: PageCall) async throws -> SignInProvider {
        guard let provider = try await call.site.accounts.providers.find(name: call.parameters[0])
        else {
            throw PageError(
                .notFound, Phrase("refused.notFound.title"), Phrase("refused.notFound.text"), .missing(.provider))
        }
        return provider
    }

    private static func redirect(_ provider: SignInProvider, _ call: PageCall) -> String {
        call.site.wire.origin(of: call.request) + provider.callbackPath
    }
}

// MARK: The request

extension ProviderSignIn {
    private static func begin(_ provider: SignInProvider, _ call: PageCall) async throws -> Response {
        let purpose = try await SignInPurpose.read(call.query, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        var attempt = ProviderAttempt(provider, now: call.site.accounts.now())
        attempt.purpose = purpose.field
        attempt.window = ProviderAttempt.channel(call.query["window"])
        if let text = call.query[ConnectLink.field] {
            guard let account = try await ConnectLink.account(text, provider: provider.name, call) else {
                return try call.refused(
                    ProviderRefusal("nobody has proven to be the account's owner just now", .notProven), at: provider,
                    back: "/account")
            }
            attempt.account = account.id
            attempt.purpose = ("return", "/account")
        }
        do {
            let endpoints = try await call.site.wire.providers.endpoints(of: provider)
            var items = attempt.secrets.parameters(
                client: provider.clientID, redirect: redirect(provider, call), scopes: provider.scopes
            ).map { (name: $0.key, value: $0.value) }
            // Apple demands it with any scope.
            if provider.kind == .apple { items.append(("response_mode", "form_post")) }
            var response = Response.seeOther(SignInCallback(endpoints.authorization).adding(items))
            for cookie in AttemptCookies(call).adding(attempt) { response.setCookie(cookie) }
            return response
        } catch {
            return try call.refused(
                ProviderRefusal(error), at: provider,
                back: purpose.address("/auth/signin", adding: [("other", "1")]))
        }
    }
}

// MARK: The answer

extension ProviderSignIn {
    private static func take(
        _ answer: [(name: String, value: String)], _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        let cookies = AttemptCookies(call)
        guard let state = answer.first(where: { $0.name == "state" })?.value, state.utf8.count <= 128,
            let attempt = cookies.find(state: state), attempt.provider.isExactly(provider.name)
        else {
            // A denial without `state` is a page only.
            return try call.refused(
                ProviderRefusal(AuthorizationAnswer.Fault.state.rawValue, .notBegun), at: provider)
        }
        let purpose = try await SignInPurpose.read(attempt.fields, site: call.site)
        var response: Response
        do {
            response = try await finish(answer, attempt, purpose, provider, call)
        } catch let refusal as ProviderRefusal {
            let back = attempt.account == nil ? purpose.address("/auth/signin", adding: [("other", "1")]) : "/account"
            response = try call.refused(refusal, at: provider, back: back)
        }
        response.setCookie(cookies.dropping(state: state))
        return response
    }

    private static func finish(
        _ parameters: [(name: String, value: String)], _ attempt: ProviderAttempt, _ purpose: SignInPurpose,
        _ provider: SignInProvider, _ call: PageCall
    ) async throws -> Response {
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        guard try await !call.site.accounts.sessions.isUsed(attempt.ticket) else {
            throw ProviderRefusal(.used)
        }
        switch try await answer(parameters, attempt, provider, call) {
        case .cancelled: return try cancelled(attempt, purpose, call)
        case .refused(let name): throw ProviderRefusal("the provider refused the sign-in: \(name)")
        case .code(let code):
            let redemption = CodeRedemption(
                provider: provider, connections: call.site.wire.providers, attempt: attempt,
                redirect: redirect(provider, call))
            var outcome = try await person(code, redemption, call)
            if provider.kind == .apple {
                outcome.person.add(appleUser: parameters.first { $0.name == "user" }?.value)
                // Without an identity in the end, the token is revoked in some minutes.
                await AppleGrants(call.site.wire).keep(
                    outcome.refreshToken, client: provider.clientID, of: outcome.person, at: provider)
            }
            if let account = attempt.account { return try await connect(outcome.person, to: account, attempt, call) }
            return try await signIn(outcome, attempt, purpose, call)
        }
    }

    /// Redeems a code. Anybody can begin a sign-in and make codes up, each of which is asked for at the provider, so refused ones
    /// count against the address.
    private static func person(
        _ code: String, _ redemption: CodeRedemption, _ call: PageCall
    ) async throws -> ProvenSignIn {
        let guess = GuessingLimits.Attempt(guess: .identityToken, client: call.client)
        try call.site.guessing.take(guess)
        do {
            let outcome = try await redemption.person(code)
            call.site.guessing.giveBack(guess)
            return outcome
        } catch let refusal as ProviderRefusal {
            // A provider that is down is nobody's fault.
            if refusal.sentence == .unreachable { call.site.guessing.giveBack(guess) }
            throw refusal
        }
    }

    private static func answer(
        _ parameters: [(name: String, value: String)], _ attempt: ProviderAttempt, _ provider: SignInProvider,
        _ call: PageCall
    ) async throws -> AuthorizationAnswer {
        do {
            let endpoints = try await call.site.wire.providers.endpoints(of: provider)
            return try AuthorizationAnswer(
                parameters, to: attempt.secrets, issuer: provider.discoveryIssuer, namesIssuer: endpoints.namesIssuer)
        } catch let fault as AuthorizationAnswer.Fault {
            throw ProviderRefusal(fault.rawValue)
        } catch let fault as ProviderFault {
            throw ProviderRefusal(fault)
        }
    }

    private static func cancelled(
        _ attempt: ProviderAttempt, _ purpose: SignInPurpose, _ call: PageCall
    ) throws -> Response {
        if let window = attempt.window { return try WindowView.page(window, isSignedIn: false, call) }
        if case .own(nil) = purpose { return .seeOther("/auth/signin?other=1") }
        return try SignInOutcome.cancelled(purpose, call)
    }

    private static func connect(
        _ person: ProvenPerson, to account: Int64, _ attempt: ProviderAttempt, _ call: PageCall
    ) async throws -> Response {
        guard try await call.session()?.account.id == account else {
            throw ProviderRefusal("another account is signed in than the one that began to connect", .notProven)
        }
        if let refusal = try await call.site.accounts.identities.connect(
            person, to: account, redeeming: attempt.ticket)
        {
            throw ProviderRefusal(refusal)
        }
        return .seeOther("/account")
    }

    private static func signIn(
        _ outcome: ProvenSignIn, _ attempt: ProviderAttempt, _ purpose: SignInPurpose, _ call: PageCall
    ) async throws -> Response {
        // User information has been asked too: a provider that tells no groups has none for the person.
        let roles = outcome.roles ?? []
        switch try await call.site.accounts.identities.signIn(
            outcome.person, admitting: outcome.verdict, roles: roles, redeeming: attempt.ticket,
            browser: BrowserName(userAgent: call.request.headers[.userAgent]))
        {
        case .refused(let refusal): throw ProviderRefusal(refusal)
        case .ownsAddress(let account):
            var response = Response.seeOther("/auth/connect")
            response.setCookie(
                PendingConnection(outcome.person, account: account.id, attempt, call).cookie(call))
            return response
        case .signedIn(let account, let login):
            try await call.site.wire.follow(roles, of: account, by: outcome.person)
            try await call.endSession()
            let session = call.cookie(BrowserSession.cookieName, login.token)
            var response: Response
            if let window = attempt.window {
                response = try WindowView.page(window, isSignedIn: true, call)
                response.setCookie(session)
            } else {
                response = try await SignInOutcome.signedIn(
                    account, purpose, call, session: session, from: outcome.person.login)
            }
            // An account without a password proves itself by a sign-in at the provider.
            if try await !call.site.hasPassword(account) {
                response.setCookie(call.proofCookie(for: account))
            }
            return response
        }
    }
}

/// The page of a window that was opened for a provider: tells the page that waits, and closes.
package struct WindowView: WebPage {
    package static let template = "signin-window"

    package let title: String
    package let text: String
    package let channel: String
    /// `signed-in` or `cancelled`.
    package let news: String

    static func page(_ channel: String, isSignedIn: Bool, _ call: PageCall) throws -> Response {
        try call.lonePage(
            WindowView(
                title: call.text(isSignedIn ? "handover.signedIn" : "handover.cancelled"),
                text: call.text("handover.close"), channel: channel, news: isSignedIn ? "signed-in" : "cancelled"))
    }
}
