import CloudHTTP
import CloudStore

/// `/auth/signout`: ends this browser's session on the server's own pages. Apps hold separate tokens and drop them
/// themselves (reference B §3.7).
package enum SignOutPage {
    /// `GET` asks for confirmation, because a link must not sign people out.
    package static let show: PageEndpoint = { call in
        let session = try await call.session()
        return try call.formPage { form in
            View(
                title: call.text("signout.title"), form: form,
                current: session.map { SignedInPerson($0.account, in: call.language) },
                back: call.query["return"].flatMap { OwnPath($0)?.text })
        }
    }

    package static let submit: PageEndpoint = { call in
        try call.requireOwnForm()
        try await call.endSession()
        var response = Response.seeOther(call.form["return"].flatMap { OwnPath($0)?.text } ?? "/auth/signout")
        response.setCookie(call.cookie(BrowserSession.cookieName, "", maxAge: .zero))
        response.setCookie(call.cookie(FreshProof.cookieName, "", maxAge: .zero))
        return response
    }

    package struct View: WebPage {
        package static let template = "signout"

        package let title: String
        package let form: String
        package let current: SignedInPerson?
        /// The path to return to.
        package let back: String?

        package init(title: String, form: String, current: SignedInPerson?, back: String?) {
            self.title = title
            self.form = form
            self.current = current
            self.back = back
        }
    }
}
