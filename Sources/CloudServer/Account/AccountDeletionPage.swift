import CloudModel
import CloudStore
import Hummingbird

/// `/account/delete`: what a person's deletion would remove, and the button that does it.
enum AccountDeletionPage {
    static let show: PageEndpoint = { call in
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        return try await page(call, account)
    }

    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        guard let account = try await call.session()?.account else {
            return AccountPage.signIn(back: "/account/delete")
        }
        do {
            try await call.requirePassword(of: account, in: "password")
        } catch let problem as PageError {
            return try await page(call, account, problem: problem)
        }
        try await call.deletion.run(email: account.email)
        return try call.site.page("account-deleted", ["title": "Your account is deleted", "email": account.email])
    }

    private static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil
    ) async throws -> Response {
        call.note(problem)
        let guarded = call.formGuard()
        let places = try await call.dataPlaces(of: account)
        var content: [String: Any] = [
            "title": "Delete your account?", "form": guarded.value, "email": account.email,
            "hasPassword": try await call.site.accounts.hasPassword(account),
            "hasData": !places.isEmpty, "places": places,
        ]
        content["problem"] = problem?.text
        var response = try call.site.page("account-delete", content, status: problem?.status ?? .ok)
        if let cookie = guarded.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
