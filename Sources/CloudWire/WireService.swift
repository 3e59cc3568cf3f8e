package import CloudAccounts
package import CloudEngine
package import CloudHTTP
import CloudModel
package import CloudStore
package import Logging

/// The shared parts of the API; one instance per server.
///
/// A class, since each request refers to it, and it holds several kilobytes of references.
package final class WireService: Sendable {
    package let http: HTTPSettings
    package let settings: WireSettings
    package let folder: DataFolder
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let hub: NotificationHub
    package let authenticator: Authenticator
    package let links: AssetLinks
    let callServices: CallServices
    package let health: HealthCheck
    package let bounds: RequestBounds
    package let rates: RateLimits
    package let recorder: RequestRecorder
    package let metrics: ServerMetrics
    /// The log of security events for operators.
    package let security: SecurityLog
    /// The server-wide limits on guesses of passwords, codes and tokens.
    package let guessing: GuessingLimits
    package let downloads = PersonDownloads()
    /// What is fetched from providers of sign-in.
    package let providers: ProviderConnections
    let exchangeNonces: ExchangeNonces
    /// Nil without configured backups.
    package let backups: BackupKeeper?
    package let mailer: Mailer
    package let courier: Courier
    package let eventStream: EventStream
    /// Watches clients; nil except on a development server.
    package let observer: (any TrafficObserver)?
    /// Changes outcomes on purpose; nil except on a development server.
    package let interference: (any Interference)?
    package let logger: Logger

    /// - Parameter hooks: the test controls of a development server, made for its accounts and links; nil for none.
    /// - Throws: errors of reading the server's secrets, and of creating the folder of request records.
    package init(
        _ http: HTTPSettings, _ settings: WireSettings, folder: DataFolder, accounts: AccountStore,
        stores: ContainerStores, hub: NotificationHub, metrics: ServerMetrics, logger: Logger,
        hooks: (AccountStore, AssetLinks) -> (any TrafficObserver & Interference)? = { _, _ in nil }
    ) throws {
        self.http = http
        self.settings = settings
        self.folder = folder
        self.accounts = accounts
        self.stores = stores
        self.hub = hub
        self.metrics = metrics
        self.logger = logger
        authenticator = try Authenticator(accounts: accounts, http, signatureWindow: settings.signatureWindow)
        links = try AssetLinks(accounts: accounts, lifetime: settings.assetLinkLifetime)
        callServices = CallServices(
            accounts: accounts, stores: stores, limits: http.limits, links: links,
            pushLifetime: settings.push.tokenLifetime)
        // Creates the probe's secret now, so that a GET never writes.
        _ = try ProbeToken(accounts)
        health = HealthCheck(folder: folder, accounts: accounts, stores: stores, limits: http.limits)
        bounds = RequestBounds(http)
        rates = RateLimits(http.currentRates, now: accounts.now)
        recorder = try RequestRecorder(
            http.requests, dev: http.dev, folder: folder.requestsFolder, count: Self.counting(http, metrics),
            logger: logger, now: accounts.now)
        security = SecurityLog(logger, now: accounts.now, count: { metrics.note($0) })
        guessing = GuessingLimits(settings.guessing, log: security, now: accounts.now)
        backups = settings.backups.map { BackupKeeper($0, folder: folder, accounts: accounts, logger: logger) }
        providers = ProviderConnections(accounts: accounts, settings.providers)
        exchangeNonces = try ExchangeNonces(accounts)
        mailer = Mailer(
            settings, origin: authenticator.signIn.origin, accounts: accounts, guessing: guessing, folder: folder,
            logger: logger)
        let hooks = hooks(accounts, links)
        observer = hooks
        interference = hooks
        let deliveries = Deliveries(stores: stores, logger: logger)
        let reader = { way in
            TokenReader(
                way, lifetime: settings.push.tokenLifetime, accounts, stores, deliveries, interference: hooks,
                metrics: metrics, logger: logger)
        }
        courier = Courier(reader: reader(.poll), hub: hub, hold: settings.push.courierHold, observer: hooks)
        eventStream = EventStream(reader: reader(.stream), hub: hub, settings: settings.push, observer: hooks)
    }

    /// The receiver of each request's record; nil if nothing counts them.
    private static func counting(
        _ http: HTTPSettings, _ metrics: ServerMetrics
    ) -> (@Sendable (RequestRecord) -> Void)? {
        if http.metricsAddress == nil, http.onRequest == nil { return nil }
        return { [onRequest = http.onRequest] in
            metrics.note($0)
            onRequest?($0)
        }
    }
}

extension WireService {
    package var origin: PublicOrigin { authenticator.signIn.origin }

    /// Scheme, host and port of the server, as the client sees them.
    package func origin(of request: Request) -> String { origin.text(authority: request.authority) }

    package func downloads(_ context: CloudRequestContext) -> AssetDownload {
        AssetDownload(links: links, accounts: accounts, stores: stores, sender: context.sender)
    }
}
