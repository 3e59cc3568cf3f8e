import CloudStore
import Hummingbird

extension PageCall {
    /// A page with a form about an account, which leads on to what the person came for.
    ///
    /// - Parameter problem: what was wrong with the form sent before.
    func accountForm(
        _ template: String, _ purpose: SignInPurpose, title: String, problem: PageError?, adding more: [String: Any]
    ) throws -> Response {
        note(problem)
        let form = formGuard()
        var content: [String: Any] = ["title": title, "form": form.value]
        content["field"] = purpose.field.map { ["name": $0.name, "value": $0.value] }
        content["problem"] = problem?.text
        var response = try site.page(
            template, content.merging(more) { $1 }, status: problem?.status ?? .ok, policy: purpose.policy)
        if let cookie = form.cookie { response.setCookie(cookie) }
        if let seconds = problem?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    /// The answer to somebody who has just proved their address: signed in with this browser, and on their way.
    func signedIn(_ account: UserAccount, _ purpose: SignInPurpose) async throws -> Response {
        let cookie = try await startSession(account, persistent: false)
        var response: Response
        if case .own(let path?) = purpose {
            response = .seeOther(path.text)
        } else {
            response = .seeOther(purpose.address("/auth/signin"))
        }
        response.setCookie(cookie)
        response.setCookie(deviceCookie(for: account))
        return response
    }
}
