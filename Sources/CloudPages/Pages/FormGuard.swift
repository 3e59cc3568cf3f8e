package import CloudAccounts
import CloudEngine
package import CloudHTTP
import CloudModel

/// Ties a form to a browser: the form carries a digest of a cookie that other sites can neither set nor read. Together
/// with the origin check, this prevents login CSRF.
package struct FormGuard: Sendable {
    package static let cookieName = "cumulus_form"
    package static let field = "form"

    private let signer: TokenSigner

    package init(accounts: AccountStore) throws {
        signer = TokenSigner(key: try accounts.secrets.keyBlocking(for: "form"))
    }

    func digest(of cookie: String) -> String { signer.signature(of: cookie) }

    package func fits(_ text: String, cookie: String) -> Bool { signer.isSignature(text, of: cookie) }
}

extension PageCall {
    /// The value for the page's hidden field `form`, and the cookie to set if the browser has none.
    package func formGuard() -> (value: String, cookie: Cookie?) {
        if let known = cookie(FormGuard.cookieName), known.utf8.count == 36 {
            return (site.forms.digest(of: known), nil)
        }
        let value = RandomUUID.make(.secrets)
        return (site.forms.digest(of: value), cookie(FormGuard.cookieName, value))
    }

    /// Refuses a form sent from another site's page.
    package func requireOwnOrigin() throws(PageError) {
        guard site.origin.sent(request) else {
            let origin = site.origin.text(authority: request.head.authority)
            throw PageError(.forbidden, key: "error.otherSite", .credentials(.form), ["origin": .text(origin)])
        }
    }

    /// Refuses a form that this server did not show to this browser.
    package func requireOwnForm() throws(PageError) {
        try requireOwnOrigin()
        guard let cookie = cookie(FormGuard.cookieName), let text = form[FormGuard.field],
            site.forms.fits(text, cookie: cookie)
        else {
            throw PageError(.forbidden, key: "error.oldForm", .credentials(.form))
        }
    }
}
