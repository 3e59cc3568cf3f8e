import CloudModel
import CloudStore
import HTTPTypes
import Hummingbird

/// `/auth/signin`, where the `redirectURL` of a 421 leads, and where the server's own pages send people.
enum SignInPage {
    /// The test people offered in development.
    private static let peopleShown = 8

    /// `GET`: the form, or whom to go on as.
    static let show: PageEndpoint = { call in
        let purpose = try await SignInPurpose.read(call.query, site: call.site)
        if case .app(let app) = purpose, let refusal = try await SignInOutcome.staleness(of: app, call) {
            return refusal
        }
        return try await form(call, purpose, isOther: call.query["other"] != nil)
    }

    /// The page with the form.
    ///
    /// - Parameters:
    ///   - isOther: whether to ask for an account even though one is signed in.
    ///   - problem: what was wrong with the form sent before.
    static func form(
        _ call: PageCall, _ purpose: SignInPurpose, isOther: Bool = false, email: String? = nil,
        problem: PageError? = nil
    ) async throws -> Response {
        call.note(problem)
        let session = try await call.session()
        let form = call.formGuard()
        let current = isOther ? nil : session?.account
        var content: [String: Any] = [
            "title": problem?.title ?? "Sign in", "form": form.value, "email": email ?? "",
            "isNewAccountWelcome": call.site.configuration.registration.isOpen,
            "register": purpose.address("/auth/register"), "forgot": purpose.address("/auth/forgot"),
            "other": purpose.address("/auth/signin", adding: [("other", "1")]),
        ]
        content["field"] = purpose.field.map { ["name": $0.name, "value": $0.value] }
        content["problem"] = problem?.text
        content["current"] = current.map { ["email": $0.email, "name": $0.displayName] }
        content["isPlain"] = current != nil && purpose.field == nil
        if case .app(let app) = purpose {
            content["app"] = [
                "name": app.name, "container": app.container.name, "environment": app.request.environment.rawValue,
                "isAnySite": app.isAnySite,
            ]
        }
        if current == nil, call.site.configuration.dev { content["people"] = try await people(call.site) }
        var response = try call.site.page(
            "signin", content, status: problem?.status ?? .ok, policy: purpose.policy)
        if let cookie = form.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private static func people(_ site: Site) async throws -> [String: Any] {
        let known = try await site.accounts.userAccounts(limit: peopleShown).map {
            // Who has told no name is called by the address, and once is enough.
            ["email": $0.email, "name": $0.displayName, "also": $0.displayName == $0.email ? "" : $0.email]
        }
        return ["known": known]
    }
}

extension UserAccount {
    /// The name of the person, or the address when there is none.
    package var displayName: String {
        let name = [givenName, familyName].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? email : name
    }
}
