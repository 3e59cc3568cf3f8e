package import CloudAccounts
package import CloudEngine
import CloudHTTP
import CloudWire
package import CloudPages
import CloudEmulator
import CloudAssets
import CloudModel
import CloudStore
package import Logging
import NIOCore
package import ServiceLifecycle
import UnixSignals

/// Builds the server application.
///
/// - Parameter pages: page templates and files; servers may share them.
///
/// Shutdown finishes running requests and then closes the databases.
package func buildApplication(
    configuration: ServerConfiguration, pages: PageFiles, folder: DataFolder, accounts: AccountStore, logger: Logger
) throws -> Application {
    let budget = DescriptorBudget(
        limit: configuration.descriptors, connections: configuration.connections,
        environments: configuration.openEnvironments)
    let gate = ConnectionGate(most: budget.connections)
    let hub = NotificationHub()
    let metrics = ServerMetrics()
    let stores = makeStores(configuration, budget, folder, accounts, hub, metrics, logger)
    var wire = configuration.wire
    wire.mailName = configuration.site.siteName
    wire.mailLanguage = try pages.languages.required(configuration.site.language)
    let service = try WireService(
        configuration.http, wire, folder: folder, accounts: accounts, stores: stores, hub: hub,
        metrics: metrics, logger: logger
    ) { configuration.dev ? EmulatorHooks(configuration.emulator, accounts: $0, links: $1) : nil }
    let site = try Site(service, configuration.site, pages: pages)
    let responder = Responder(service, site)
    let server = HTTPServer(
        configuration.http, bounds: service.bounds, rates: service.rates, handler: responder
    ) { [interference = service.interference] in interference?.isActive == true }
    let plain = HTTPConnection(server: server, gate: gate, dates: DateField(), tls: nil)
    let listener = Listener(host: configuration.host, port: configuration.port, connection: plain) { socket in
        // The first step of shutdown: releases waiting polls and streams.
        socket.closeFuture.whenComplete { _ in
            hub.shutDown()
            site.pageWatch.shutDown()
        }
        let port = socket.localAddress?.port ?? configuration.port
        logger.info("Server started and listening on \(configuration.host):\(port)")
        await configuration.onListening(port)
    }
    return Application(
        responder: responder, services: try services(of: responder, configuration) + tlsServices(beside: plain, logger),
        listener: listener, logger: logger)
}

/// The server as a service: its listening socket and background services.
package struct Application: Service {
    package let responder: Responder
    package let services: [any Service]
    private(set) var listener: Listener
    let logger: Logger

    /// A copy that also calls `tell` with the port once it listens.
    package func listening(_ tell: @escaping @Sendable (_ port: Int) async -> Void) -> Application {
        var application = self
        application.listener.onListening = { [listener] socket in
            await listener.onListening(socket)
            await tell(socket.localAddress?.port ?? listener.port)
        }
        return application
    }

    /// Serves until graceful shutdown.
    package func run() async throws {
        // Services stop in reverse order: the listener first, so that no request arrives while the others stop.
        let group = ServiceGroup(
            configuration: .init(services: services + [NamedService(listener)], logger: logger))
        try await group.run()
    }

    /// Serves until SIGTERM or SIGINT.
    package func runUntilSignal() async throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [NamedService(self)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        try await group.run()
    }
}

/// Services for HTTPS, if configured.
private func tlsServices(beside plain: HTTPConnection, _ logger: Logger) throws -> [any Service] {
    let settings = plain.server.settings.tls
    guard let address = settings.address else { return [] }
    let certificate = try TLSCertificate(settings, logger)
    let connection = HTTPConnection(
        server: plain.server, gate: plain.gate, dates: plain.dates, tls: certificate)
    let listener = Listener(host: address.host, port: address.port, connection: connection) { socket in
        logger.info("HTTPS is at https://\(address.host):\(socket.localAddress?.port ?? address.port)")
    }
    return [NamedService(certificate), NamedService(listener)]
}

/// Background services.
private func services(of responder: Responder, _ configuration: ServerConfiguration) -> [any Service] {
    let service = responder.service
    let (folder, accounts, stores, logger) = (service.folder, service.accounts, service.stores, service.logger)
    var services: [any Service] = [
        StoreCloser(stores: stores, accounts: accounts, recorder: service.recorder),
        AssetTrial(health: service.health, logger: logger),
        StoreKeeper(stores: stores, idleTime: configuration.environmentIdleTime, logger: logger),
        AssetCollector(
            accounts: accounts, stores: stores, interval: configuration.assetCollectionInterval, logger: logger,
            clock: configuration.clock),
        ExpiredPages(site: responder.site, interval: .seconds(60), logger: logger, clock: configuration.clock),
        PageWatchService(responder.site.pageWatch, interval: configuration.site.news.interval, logger: logger),
        PagePreparer(site: responder.site, logger: logger),
        PublishedNameKeeper(accounts: accounts, stores: stores, interval: .seconds(60), logger: logger),
        ExpiredTokens(
            accounts: accounts, stores: stores, interval: .seconds(600), logger: logger, clock: configuration.clock),
        PersonDeletions(
            accounts: accounts, stores: stores, limits: configuration.limits, interval: .seconds(60), logger: logger),
        TokenRevocations(
            accounts: accounts, providers: service.providers, interval: .seconds(60), logger: logger),
        GroupRoleKeeper(service, interval: .seconds(60)),
        NotedUseWriter(accounts: accounts, interval: configuration.usesInterval, logger: logger),
        EndedDevices(accounts: accounts, stores: stores, logger: logger),
        WebhookService(
            accounts: accounts, stores: stores, hub: service.hub, settings: configuration.webhooks,
            metrics: service.metrics, logger: logger, clock: configuration.clock),
        BackupService(
            keeper: service.backups, folder: folder, logger: logger, clock: configuration.clock),
    ]
    if let address = configuration.metricsAddress {
        let gauges = MetricGauges(
            stores: stores, accounts: accounts, hub: service.hub, folder: folder, requests: service.recorder.log,
            mostDescriptors: configuration.descriptors)
        services.append(
            MetricsEndpoint.service(address, metrics: service.metrics, gauges: gauges, logger: logger))
    }
    return services.map(NamedService.init)
}

private func makeStores(
    _ configuration: ServerConfiguration, _ budget: DescriptorBudget, _ folder: DataFolder, _ accounts: AccountStore,
    _ hub: NotificationHub, _ metrics: ServerMetrics, _ logger: Logger
) -> ContainerStores {
    let limits = configuration.limits.assets
    let previews = PreviewMaker(
        mostPixels: limits.previewPixels, mostWaiting: limits.previewsPerAccount,
        mostBytes: limits.previewBytes, programs: configuration.programs, preparesAhead: configuration.preparesPreviews,
        posters: configuration.posters ? PosterMaker(mostWaiting: limits.previewsPerAccount) : nil,
        films: configuration.transcode ? FilmMaker(mostWaiting: limits.filmsPerAccount) : nil)
    if previews == nil {
        logger.warning("vipsthumbnail is not installed (Debian: libvips-tools), so there are no previews of pictures")
    } else if let gap = Confinement.here.gap {
        logger.warning("\(gap) ('cumulus doctor' tells more)")
    }
    return ContainerStores(
        folder: folder, accounts: accounts, previews: previews, hub: hub, limits: configuration.limits,
        mostOpen: budget.environments, slots: FileSlots(most: budget.files), meter: metrics,
        onTrouble: { container, environment, error in
            logger.warning(
                "a schema change cannot be finished; it is tried again",
                metadata: [
                    "container": "\(container.name)", "environment": "\(environment.rawValue)", "error": "\(error)",
                ])
        },
        onFault: { container, environment, fault in
            logger.error("\(environment.rawValue) of \(container?.name ?? "a deleted container") \(fault.reason)")
        })
}
