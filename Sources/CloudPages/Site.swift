package import CloudAccounts
import CloudEngine
package import CloudHTTP
package import CloudWire
package import CloudModel
package import CloudStore

/// The shared parts of the server's own pages; one instance per server.
package final class Site: Sendable {
    package let templates: PageTemplates
    package let files: StaticFiles
    package let client: ClientFiles
    let apps: AppPictures
    package let wire: WireService
    package let settings: SiteSettings
    package let origin: PublicOrigin
    package let accounts: AccountStore
    package let stores: ContainerStores
    /// The server-wide limits on guesses of passwords, codes and tokens.
    package let guessing: GuessingLimits
    package let forms: FormGuard
    /// Recognizes browsers by the cookie of an earlier sign-in.
    package let devices: KnownDevices
    package let languages: Languages
    /// The language for visitors whose languages have no texts.
    package let defaultLanguage: PageLanguage
    let passkeys: PasskeySite
    /// Signs the proofs of ``FreshProof``, and the links of ``ConnectLink``.
    let proofSigner: TokenSigner
    /// Signs the pass of a browser that has entered a page's password.
    let pagePassSigner: TokenSigner
    /// The orders of long pages.
    let pageOrders = PageOrders()
    /// Visitors that wait for changes of pages.
    package let pageWatch: PageWatch
    /// Seals the sign-ins at providers that browsers have begun.
    let attempts: TokenSigner
    /// Seals answers that providers sent as forms.
    let keptAnswers: TokenSigner
    /// Seals identities that wait for the owner of their address.
    let pendingConnections: TokenSigner

    /// - Throws: errors of reading the secrets of the accounts; `TextTable.Broken` for a language without texts.
    package init(_ wire: WireService, _ settings: SiteSettings, pages: PageFiles) throws {
        self.wire = wire
        self.settings = settings
        files = pages.statics
        client = pages.client
        apps = pages.apps
        templates = pages.templates
        (origin, accounts, stores, guessing) = (wire.origin, wire.accounts, wire.stores, wire.guessing)
        forms = try FormGuard(accounts: accounts)
        devices = try KnownDevices(accounts: accounts)
        languages = pages.languages
        pageWatch = PageWatch(settings.news)
        defaultLanguage = try languages.required(settings.language)
        passkeys = try PasskeySite(settings.passkeys, wire.http, accounts: accounts)
        proofSigner = TokenSigner(key: try accounts.secrets.keyBlocking(for: "proof"))
        pagePassSigner = TokenSigner(key: try accounts.secrets.keyBlocking(for: "page-pass"))
        attempts = TokenSigner(key: try accounts.secrets.keyBlocking(for: "provider-attempt"))
        keptAnswers = TokenSigner(key: try accounts.secrets.keyBlocking(for: "provider-answer"))
        pendingConnections = TokenSigner(key: try accounts.secrets.keyBlocking(for: "provider-connection"))
    }

    package var isDevelopment: Bool { wire.http.dev }
    /// True if the console is available: on a development server, or enabled for operators.
    package var hasConsole: Bool { isDevelopment || settings.consoleIsEnabled }
    package var limits: Limits { wire.http.limits }
    /// The log of security events for operators.
    package var security: SecurityLog { wire.security }
    /// The log of recent requests, for the console.
    package var requests: RequestLog { wire.recorder.log }
    package var links: SignInLinks { wire.authenticator.signIn }

    /// Renders a page as a response.
    ///
    /// - Parameter request: the request for the page, which a change of the language repeats; nil for a page without a menu
    ///   of languages.
    package func page(
        _ page: some WebPage, in language: PageLanguage, of request: Request? = nil, status: HTTPResponse.Status = .ok,
        policy: PagePolicy = PagePolicy(), packing: PagePacking = .none
    ) throws -> Response {
        .page(
            try templates.render(page, in: language, switching: request.flatMap(LanguageSwitch.init)), status: status,
            policy: policy, packing: packing)
    }

    /// The page that shows an error.
    ///
    /// - Parameter back: a link back, left out when access is forbidden; nil for none.
    package func page(
        for error: PageError, in language: PageLanguage, of request: Request, back: PageLink? = nil
    ) throws -> Response {
        let way = error.status == .forbidden ? nil : back
        var response = try page(
            PageError.View(title: language.text(error.title), text: language.text(error.text), back: way), in: language,
            of: request, status: error.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
