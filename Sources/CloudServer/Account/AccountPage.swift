import CloudModel
import CloudStore
import Hummingbird

/// `/account`: what the person signed in with this browser sees and changes of their account.
enum AccountPage {
    static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else { return signIn(back: "/account") }
        return try await page(call, account)
    }

    /// The way to the sign-in, and back.
    static func signIn(back: String) -> Response {
        .seeOther("/auth/signin?return=\(PercentEncoding.encode(back))")
    }

    /// - Parameters:
    ///   - problem: what was wrong with the form sent before.
    ///   - form: the form that it was wrong with.
    static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil, in form: AccountChange? = nil
    ) async throws -> Response {
        call.note(problem)
        let guarded = call.formGuard()
        let accounts = call.site.accounts
        let language = PageLanguage(acceptLanguage: call.request.headers[.acceptLanguage])
        let here = call.request.cookies[BrowserSession.cookieName].map { OpenSession.id(ofBrowser: $0.value) }
        let sessions = try await accounts.openSessions(email: account.email)
        let places = try await call.dataPlaces(of: account)
        var content: [String: Any] = [
            "hasData": !places.isEmpty, "places": places, "title": "Your account", "form": guarded.value,
            "email": account.email, "name": account.displayName,
            "givenName": account.givenName ?? "", "familyName": account.familyName ?? "",
            "hasPassword": try await accounts.hasPassword(account), "hasOthers": sessions.contains { $0.id != here },
            "sessions": sessions.map { session($0, isHere: $0.id == here, language) },
        ]
        switch form {
        case .name: content["nameProblem"] = problem?.text
        case .password: content["passwordProblem"] = problem?.text
        case .end, .endOthers, nil: content["problem"] = problem?.text
        }
        var response = try call.site.page("account", content, status: problem?.status ?? .ok)
        if let cookie = guarded.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private static func session(_ session: OpenSession, isHere: Bool, _ language: PageLanguage) -> [String: Any] {
        [
            "id": session.id, "isHere": isHere,
            "name": session.container ?? "A browser",
            "detail": session.environment.map { " (\($0.rawValue))" } ?? "",
            "used": language.time(session.lastUsed),
        ]
    }
}
