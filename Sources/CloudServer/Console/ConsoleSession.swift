import CloudStore

/// The cookie of an operator who has signed in to the console. It goes with no request that another site causes; the
/// other pages of this server do not look at it.
enum ConsoleSession {
    static let cookieName = "cumulus_console"

    static func cookie(_ token: String, in page: PageCall, maxAge: Int? = nil) -> Cookie {
        page.site.origin.cookie(
            cookieName, token, for: page.request, maxAge: maxAge, path: "/console", sameSite: .strict)
    }
}

extension PageCall {
    /// The text of the console's cookie, if it may be one.
    var consoleToken: String? {
        guard let token = cookie(ConsoleSession.cookieName), token.utf8.count == 64 else { return nil }
        return token
    }

    /// The login of the operator with this browser, complete or not; nil when it has ended.
    func consoleLogin() async throws -> ConsoleLogin? {
        guard let consoleToken else { return nil }
        return try await site.accounts.consoleLogin(consoleToken, isUse: !request.headers.isLive)
    }
}
