import CloudAccounts
import CloudHTTP

extension PageCall {
    /// The answer after a proven address: starts a session in this browser and redirects.
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
        response.setCookie(proofCookie(for: account))
        return response
    }
}
