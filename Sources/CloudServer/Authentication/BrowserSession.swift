import CloudModel
package import CloudStore
package import Hummingbird

/// The person signed in to the server's own pages with the browser that a request comes from.
package struct BrowserSession: Sendable {
    package static let cookieName = "cumulus_session"

    package let account: UserAccount
    private let accounts: AccountStore

    /// - Returns: nil when nobody is signed in, or no longer.
    package static func find(in request: Request, accounts: AccountStore) async throws -> BrowserSession? {
        guard let token = request.cookies[cookieName]?.value, token.utf8.count == 64,
            let login = try await accounts.browserLogin(token)
        else { return nil }
        return BrowserSession(account: login.account, accounts: accounts)
    }

    /// The person's user record name in a container, made when they first come there (reference B §5.0). It is the
    /// same in both environments.
    package func userRecordName(in container: Container) async throws -> String {
        try await accounts.userRecordName(account: account.id, container: container.id)
    }
}

extension PageCall {
    /// The session of the person signed in with this browser; nil when nobody is.
    package func session() async throws -> BrowserSession? {
        try await BrowserSession.find(in: request, accounts: site.accounts)
    }

    /// Signs an account in with this browser, instead of whoever was.
    ///
    /// - Returns: the cookie to set on the answer.
    func startSession(_ account: UserAccount, persistent: Bool) async throws -> Cookie {
        try await endSession()
        let token = try await site.accounts.createBrowserLogin(
            account: account, persistent: persistent, allowsUnconfirmed: site.configuration.dev)
        return Self.cookie(
            BrowserSession.cookieName, token,
            maxAge: persistent ? site.accounts.sessionLifetimes.persistent : nil,
            secure: site.origin.isSecure(request))
    }

    /// Ends the session of this browser on the server.
    func endSession() async throws {
        guard let token = request.cookies[BrowserSession.cookieName]?.value else { return }
        try await site.accounts.deleteBrowserLogin(token)
    }

    /// A cookie for this server's pages alone. It comes along when a link leads here from elsewhere, and never with
    /// a form or a script of another site.
    static func cookie(_ name: String, _ value: String, maxAge: Duration? = nil, secure: Bool) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: maxAge.map { Int($0.components.seconds) }, path: "/", secure: secure,
            httpOnly: true, sameSite: .lax)
    }
}
