import CloudStore

/// `/auth/signout`: ends the session of the server's own pages in this browser. Apps hold tokens of their own, and
/// drop them on their own (reference B §3.7).
enum SignOutPage {
    /// `GET`: asks, because a link must not sign anybody out.
    static let show: PageEndpoint = { call in
        let session = try await call.session()
        return try call.formPage { form in
            View(
                form: form, current: session.map { SignedInPerson($0.account) },
                back: call.query["return"].flatMap { OwnPath($0)?.text })
        }
    }

    static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        try await call.endSession()
        var response = Response.seeOther(call.form["return"].flatMap { OwnPath($0)?.text } ?? "/auth/signout")
        response.setCookie(call.cookie(BrowserSession.cookieName, "", maxAge: .zero))
        return response
    }

    struct View: WebPage {
        static let template = "signout"

        let title = "Sign out"
        let form: String
        let current: SignedInPerson?
        /// The page to go back to.
        let back: String?
    }
}
