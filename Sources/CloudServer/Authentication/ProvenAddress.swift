import CloudStore

extension PageCall {
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
