import CloudModel
package import CloudStore
package import Logging

/// The shared parts of the server's own pages; one instance per server.
package final class Site: Sendable {
    package let templates: PageTemplates
    package let files: StaticFiles
    let client: ClientFiles
    package let origin: PublicOrigin
    let folder: DataFolder
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let configuration: ServerConfiguration
    /// The server-wide limits on guesses of passwords, codes and tokens.
    package let guessing: GuessingLimits
    package let forms: FormGuard
    /// Recognizes browsers by the cookie of an earlier sign-in.
    let devices: KnownDevices
    /// The log of security events for operators.
    let security: SecurityLog
    /// The log of recent requests, for the console.
    let requests: RequestLog
    /// The counts of queries by index mark, for the console.
    let indexUsage: IndexUsage
    /// Nil without configured backups.
    let backups: BackupKeeper?
    let downloads = PersonDownloads()
    let links: SignInLinks
    let outbox: Outbox
    let logger: Logger
    /// Signs the pass of a browser that has entered a page's password.
    let pagePassSigner: TokenSigner

    package init(
        configuration: ServerConfiguration, pages: PageFiles, folder: DataFolder, accounts: AccountStore,
        stores: ContainerStores, links: SignInLinks, security: SecurityLog,
        requests: RequestLog, indexUsage: IndexUsage, logger: Logger
    ) throws {
        files = pages.statics
        client = pages.client
        templates = pages.templates
        origin = PublicOrigin(configuration)
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.configuration = configuration
        self.links = links
        self.security = security
        self.requests = requests
        self.indexUsage = indexUsage
        self.logger = logger
        backups = configuration.backups.map {
            BackupKeeper($0, folder: folder, accounts: accounts, logger: logger)
        }
        guessing = GuessingLimits(configuration.guessing, log: security, now: accounts.now)
        forms = try FormGuard(accounts: accounts)
        devices = try KnownDevices(accounts: accounts)
        outbox = Outbox(folder: folder, command: configuration.registration.mailCommand)
        pagePassSigner = TokenSigner(key: try accounts.secrets.keyBlocking(for: "page-pass"))
    }

    /// Renders a page as a response.
    func page(
        _ page: some WebPage, status: HTTPResponse.Status = .ok, policy: PagePolicy = PagePolicy(),
        packing: PagePacking = .none
    ) throws -> Response {
        .page(try templates.render(page), status: status, policy: policy, packing: packing)
    }

    /// The page that shows an error.
    ///
    /// - Parameter back: a link back, left out when access is forbidden; nil for none.
    func page(for error: PageError, back: PageLink? = nil) throws -> Response {
        let way = error.status == .forbidden ? nil : back
        var response = try page(PageError.View(title: error.title, text: error.text, back: way), status: error.status)
        if let seconds = error.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }
}
