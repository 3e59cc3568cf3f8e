import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

/// Hands over the outcome of a sign-in (reference B §3.6, §3.7).
package enum SignInOutcome {
    /// Creates the session or app token for the purpose, and hands it over.
    ///
    /// - Parameters:
    ///   - session: the cookie of the session that the browser has already; nil to begin one.
    ///   - login: the sign-in at a provider that this one goes back to; nil for another.
    static func signedIn(
        _ account: UserAccount, _ purpose: SignInPurpose, _ call: PageCall, session: Cookie? = nil,
        from login: ProviderLogin? = nil
    ) async throws -> Response {
        let isPersistent = call.form["keep"] != nil
        switch purpose {
        case .own(let path):
            let cookie =
                if let session { session } else {
                    try await call.startSession(account, persistent: isPersistent, from: login)
                }
            var response = Response.seeOther(path?.text ?? "/auth/signin")
            response.setCookie(cookie)
            return response
        case .app(let app):
            let token: String
            do {
                token = try await call.site.accounts.sessions.create(
                    email: account.idText, container: app.container, environment: app.request.environment,
                    apiToken: app.request.apiToken == DevelopmentToken.id ? nil : app.request.apiToken,
                    persistent: isPersistent, redeeming: app.request.ticket, from: login,
                    allowsUnconfirmed: call.site.isDevelopment
                ).token
            } catch let error as ServerError where error.code == .exists {
                var response = try used(app, call)
                if let session { response.setCookie(session) }
                return response
            }
            var response = try handover(
                app, call, [("ckWebAuthToken", token), ("ckSession", token)], title: "handover.signedIn",
                text: "handover.close")
            // Continuing as the signed-in account keeps the existing session.
            if let session {
                response.setCookie(session)
            } else if call.form["action"] != "continue" {
                response.setCookie(try await call.startSession(account, persistent: isPersistent, from: login))
            }
            return response
        }
    }

    /// Tells the app that the person has cancelled.
    static func cancelled(_ purpose: SignInPurpose, _ call: PageCall) throws -> Response {
        switch purpose {
        case .own(let path): .seeOther(path?.text ?? "/auth/signin")
        case .app(let app):
            try handover(
                app, call, [("errorMessage", "userCancelled")], title: "handover.cancelled",
                text: "handover.close")
        }
    }

    /// The answer to an expired or used link; nil for a valid link.
    static func staleness(of app: AppSignIn, _ call: PageCall) async throws -> Response? {
        guard !app.hasExpired else {
            return try stale(
                app, call, text: "signin.badLink.expired", message: "requestExpired")
        }
        return try await call.site.accounts.sessions.isUsed(app.request.ticket) ? try used(app, call) : nil
    }

    private static func used(_ app: AppSignIn, _ call: PageCall) throws -> Response {
        try stale(
            app, call, text: "signin.badLink.used", message: "requestUsed")
    }

    /// A page that stays open for reading and tells the app to fetch another link.
    ///
    /// - Parameter text: the key of the page's text.
    private static func stale(_ app: AppSignIn, _ call: PageCall, text: String, message: String) throws -> Response {
        guard case .opener(let origin) = app.delivery else {
            throw PageError(.badRequest, Phrase("signin.badLink"), Phrase(text), .credentials(.usedLink))
        }
        return try page(
            origin, call, [("errorMessage", message)], title: "signin.badLink", text: text,
            status: .badRequest, closes: false)
    }

    private static func handover(
        _ app: AppSignIn, _ call: PageCall, _ items: [(name: String, value: String)], title: String, text: String
    ) throws -> Response {
        switch app.delivery {
        case .callback(let callback): .seeOther(callback.adding(items))
        case .opener(let origin):
            try page(origin, call, items, title: title, text: text, status: .ok, closes: true)
        }
    }

    /// A page whose script posts the items to the opener, restricted to the given origin.
    ///
    /// - Parameters:
    ///   - title: the key of the title.
    ///   - text: the key of the text.
    private static func page(
        _ origin: String, _ call: PageCall, _ items: [(name: String, value: String)], title: String, text: String,
        status: HTTPResponse.Status, closes: Bool
    ) throws -> Response {
        try call.page(
            HandoverView(
                title: call.text(title), text: call.text(text), origin: origin, closes: closes,
                items: items.map(FilledField.init)),
            status: status)
    }

    package struct HandoverView: WebPage {
        package static let template = "handover"

        package let title: String
        package let text: String
        /// The origin of the app's page; `*` for any.
        package let origin: String
        /// Whether the window closes after handing over the items.
        let closes: Bool
        package let items: [FilledField]
    }
}
