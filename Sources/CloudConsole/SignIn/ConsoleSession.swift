import CloudAccounts
import CloudHTTP
import CloudPages

/// The cookie of an operator's console login. The cookie is `SameSite=Strict`; only console pages read it.
enum ConsoleSession {
    static let cookieName = "cumulus_console"

    static func cookie(_ token: String, in page: PageCall, maxAge: Int? = nil) -> Cookie {
        page.site.origin.cookie(
            cookieName, token, for: page.request, maxAge: maxAge, path: "/console", sameSite: .strict)
    }
}

extension PageCall {
    /// The console cookie's token; nil if malformed.
    var consoleToken: String? {
        guard let token = cookie(ConsoleSession.cookieName), token.utf8.count == 64 else { return nil }
        return token
    }

    /// This browser's console login, before or after its second factor; nil when expired.
    func consoleLogin() async throws -> ConsoleLogin? {
        guard let consoleToken else { return nil }
        return try await site.accounts.consoleLogins.find(consoleToken, isUse: !request.headers.isLive)
    }
}
