import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import CloudStore
import CloudWire

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
        let login = try await call.providerLogin()
        try await call.endSession()
        let back = call.form["return"].flatMap { OwnPath($0)?.text }
        var response = try await offer(login, call) ?? .seeOther(back ?? "/auth/signout")
        response.setCookie(call.cookie(BrowserSession.cookieName, "", maxAge: .zero))
        response.setCookie(call.cookie(FreshProof.cookieName, "", maxAge: .zero))
        return response
    }

    /// The page that offers to sign out at the provider too; nil without an `end_session_endpoint`.
    private static func offer(_ login: ProviderLogin?, _ call: PageCall) async throws -> Response? {
        guard let login, let provider = try await call.site.accounts.providers.find(name: login.provider),
            provider.issuer.isExactly(login.issuer),
            let end = try? await call.site.wire.providers.endpoints(of: provider).endSession
        else { return nil }
        // Nothing depends on the state: the page that it comes back to does nothing.
        var items = [
            (name: "client_id", value: provider.clientID),
            (
                name: "post_logout_redirect_uri",
                value: call.site.wire.origin(of: call.request) + "/auth/signout"
            ), (name: "state", value: SignInNonce.make()),
        ]
        if let hint = login.hint { items.append((name: "id_token_hint", value: hint)) }
        let offer = View.Provider(title: provider.title, address: SignInCallback(end).adding(items))
        return try call.lonePage(
            View(title: call.text("signout.title"), form: "", current: nil, back: nil, provider: offer))
    }

    package struct View: WebPage {
        package static let template = "signout"

        package let title: String
        package let form: String
        package let current: SignedInPerson?
        /// The path to return to.
        package let back: String?
        /// The provider where the browser is signed in still; nil for none.
        let provider: Provider?

        struct Provider: PageView {
            let title: String
            let address: String
        }

        package init(title: String, form: String, current: SignedInPerson?, back: String?) {
            self.init(title: title, form: form, current: current, back: back, provider: nil)
        }

        init(title: String, form: String, current: SignedInPerson?, back: String?, provider: Provider?) {
            self.title = title
            self.form = form
            self.current = current
            self.back = back
            self.provider = provider
        }
    }
}
