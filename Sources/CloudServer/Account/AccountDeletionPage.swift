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
        try await deletion(call).run(email: account.email)
        return try call.site.page("account-deleted", ["title": "Your account is deleted", "email": account.email])
    }

    private static func deletion(_ call: PageCall) -> PersonDeletion {
        PersonDeletion(
            accounts: call.site.accounts, stores: call.site.stores, limits: call.site.configuration.limits)
    }

    private static func page(
        _ call: PageCall, _ account: UserAccount, problem: PageError? = nil
    ) async throws -> Response {
        call.note(problem)
        let guarded = call.formGuard()
        let language = PageLanguage(acceptLanguage: call.request.headers[.acceptLanguage])
        let places = try await deletion(call).footprints(email: account.email).filter { !$0.footprint.isEmpty }
        var content: [String: Any] = [
            "title": "Delete your account?", "form": guarded.value, "email": account.email,
            "hasPassword": try await call.site.accounts.hasPassword(account),
            "hasData": !places.isEmpty, "places": places.map { place($0, language) },
        ]
        content["problem"] = problem?.text
        var response = try call.site.page("account-delete", content, status: problem?.status ?? .ok)
        if let cookie = guarded.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private static func place(_ place: PersonEnvironment, _ language: PageLanguage) -> [String: Any] {
        let has = place.footprint
        var parts = [
            language.count(has.records, "record") + ", " + language.size(Int64(has.bytes + has.assetBytes))
        ]
        if has.shares > 0 {
            parts.append(
                language.count(has.shares, "share") + " with \(language.number(Int64(has.shareMembers))) people")
        }
        if has.memberships > 0 { parts.append(language.count(has.memberships, "share") + " of others left") }
        if has.keys > 0 { parts.append(language.count(has.keys, "key")) }
        return [
            "name": place.container, "environment": place.environment.rawValue, "what": parts.joined(separator: "; "),
        ]
    }
}
