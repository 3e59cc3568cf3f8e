import CloudStore

/// `/auth/signout`: ends this browser's session on the server's own pages. Apps hold separate tokens and drop them
/// themselves (reference B §3.7).
enum SignOutPage {
    /// `GET` asks for confirmation, because a link must not sign people out.
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
        /// The path to return to.
        let back: String?
    }
}
