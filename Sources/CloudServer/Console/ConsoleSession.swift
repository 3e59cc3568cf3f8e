import CloudStore
import HTTPTypes
import Hummingbird

/// The cookie of an operator who has signed in to the console. It goes with no request that another site causes, and
/// to no other page of this server.
enum ConsoleSession {
    static let cookieName = "cumulus_console"

    static func cookie(_ token: String, in page: PageCall, maxAge: Int? = nil) -> Cookie {
        Cookie(
            name: cookieName, value: token, maxAge: maxAge, path: "/console",
            secure: page.site.origin.isSecure(page.request), httpOnly: true, sameSite: .strict)
    }
}

extension PageCall {
    /// The text of the console's cookie, if it may be one.
    var consoleToken: String? {
        guard let token = request.cookies[ConsoleSession.cookieName]?.value, token.utf8.count == 64 else { return nil }
        return token
    }

    /// The login of the operator with this browser, complete or not; nil when it has ended.
    func consoleLogin() async throws -> ConsoleLogin? {
        guard let consoleToken else { return nil }
        return try await site.accounts.consoleLogin(consoleToken, isUse: !request.headers.isLive)
    }
}
