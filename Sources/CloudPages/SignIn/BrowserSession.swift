package import CloudAccounts
import CloudHTTP
package import CloudModel

/// The person signed in to the server's own pages with the requesting browser.
package struct BrowserSession: Sendable {
    package static let cookieName = "cumulus_session"

    package let account: UserAccount
    private let accounts: AccountStore

    /// - Parameter token: the value of the browser's cookie.
    /// - Returns: nil without a valid session.
    package static func find(_ token: String?, accounts: AccountStore) async throws -> BrowserSession? {
        guard let token, token.utf8.count == 64,
            let login = try await accounts.browserLogins.find(token)
        else { return nil }
        return BrowserSession(account: login.account, accounts: accounts)
    }

    /// The person's identity for sharing in a container. A non-user is not made a user here, because other people can
    /// discover users.
    package func person(in container: Container) async throws -> Person {
        try await accounts.people.person(account: account.id, container: container.id)
    }

    /// Performs an action in a container as the person. The person becomes a user of the container (reference B §5.0)
    /// only if `body` fails for lack of a user.
    func acting(
        in container: Container, as person: Person, _ body: (Person) async throws -> Void
    ) async throws {
        do { return try await body(person) } catch let error as ServerError where error.cause == .share(.notAUser) {
            _ = try await accounts.people.recordName(account: account.id, container: container.id)
        }
        try await body(try await self.person(in: container))
    }
}

extension PageCall {
    /// The browser's session; nil when signed out.
    package func session() async throws -> BrowserSession? {
        try await BrowserSession.find(cookie(BrowserSession.cookieName), accounts: site.accounts)
    }

    /// Signs an account in with this browser, and ends the browser's previous session.
    ///
    /// - Parameter login: the sign-in at a provider that the session goes back to; nil for another.
    /// - Returns: the cookie to set on the answer.
    func startSession(
        _ account: UserAccount, persistent: Bool, from login: ProviderLogin? = nil
    ) async throws -> Cookie {
        try await endSession()
        let token = try await site.accounts.browserLogins.create(
            account: account, persistent: persistent, browser: BrowserName(userAgent: request.headers[.userAgent]),
            from: login, allowsUnconfirmed: site.isDevelopment)
        return cookie(
            BrowserSession.cookieName, token, maxAge: persistent ? site.accounts.sessionLifetimes.persistent : nil)
    }

    /// The sign-in at a provider that this browser's session goes back to; nil for another.
    package func providerLogin() async throws -> ProviderLogin? {
        guard let token = cookie(BrowserSession.cookieName), token.utf8.count == 64 else { return nil }
        return try await site.accounts.browserLogins.providerLogin(token)
    }

    /// Ends this browser's session on the server.
    func endSession() async throws {
        guard let token = cookie(BrowserSession.cookieName) else { return }
        try await site.accounts.browserLogins.delete(token)
    }
}
