import CloudStore
import HTTPTypes
import Hummingbird

/// `/auth/signout`: ends the session of the server's own pages in this browser. Apps hold tokens of their own, and
/// drop them on their own (reference B §3.7).
enum SignOutPage {
    /// `GET`: asks, because a link must not sign anybody out.
    static let show: PageEndpoint = { call in
        let form = call.formGuard()
        var content: [String: Any] = ["title": "Sign out", "form": form.value]
        content["current"] = try await call.session().map {
            ["email": $0.account.email, "name": $0.account.displayName]
        }
        content["back"] = call.query["return"].flatMap { OwnPath($0)?.text }
        var response = try call.site.page("signout", content)
        if let cookie = form.cookie { response.setCookie(cookie) }
        return response
    }

    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        try await call.endSession()
        var response = Response.seeOther(call.form["return"].flatMap { OwnPath($0)?.text } ?? "/auth/signout")
        response.setCookie(
            PageCall.cookie(
                BrowserSession.cookieName, "", maxAge: .zero, secure: call.site.origin.isSecure(call.request)))
        return response
    }
}
