import CloudAssets
import CloudModel
package import CloudStore
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Builds the server: what it needs in, an application to run out.
///
/// - Parameter pages: what the pages are made of; servers may share it.
///
/// Stopping it lets requests in flight finish, then closes the databases.
package func buildApplication(
    configuration: ServerConfiguration, pages: PageFiles, folder: DataFolder, accounts: AccountStore, logger: Logger
) throws -> some ApplicationProtocol {
    let budget = DescriptorBudget(
        limit: configuration.descriptors, connections: configuration.connections,
        environments: configuration.openEnvironments)
    let gate = ConnectionGate(most: budget.connections)
    let hub = NotificationHub()
    let metrics = ServerMetrics()
    let stores = makeStores(configuration, budget, folder, accounts, hub, metrics, logger)
    let responder = try Responder(
        configuration: configuration, pages: pages, folder: folder, accounts: accounts, stores: stores, hub: hub,
        metrics: metrics, logger: logger)
    let plain = HTTPConnection(responder: responder, gate: gate, dates: DateField(), tls: nil)
    return Application(
        responder: responder,
        server: HTTPServerBuilder { _ in plain },
        configuration: .init(
            address: .hostname(configuration.host, port: configuration.port), serverName: nil, backlog: 4096,
            availableConnectionsDelegate: gate),
        services: try services(of: responder, folder) + tlsServices(beside: plain),
        onServerRunning: { channel in
            // The first thing that happens when the server is told to stop.
            channel.closeFuture.whenComplete { _ in hub.shutDown() }
            await configuration.onListening(channel.localAddress?.port ?? configuration.port)
        },
        logger: logger)
}

/// HTTPS, where it has an address.
private func tlsServices(beside plain: HTTPConnection) throws -> [any Service] {
    let (settings, logger) = (plain.responder.configuration.tls, plain.responder.logger)
    guard let address = settings.address else { return [] }
    let certificate = try TLSCertificate(settings, logger)
    let connection = HTTPConnection(
        responder: plain.responder, gate: plain.gate, dates: plain.dates, tls: certificate)
    let server = connection.server(
        configuration: .init(
            address: .hostname(address.host, port: address.port), backlog: 4096,
            availableConnectionsDelegate: plain.gate),
        onServerRunning: { channel in
            logger.info("HTTPS is at https://\(address.host):\(channel.localAddress?.port ?? address.port)")
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger)
    return [certificate, server].map(NamedService.init)
}

/// The services that run beside the answering of requests.
private func services(of responder: Responder, _ folder: DataFolder) -> [any Service] {
    let configuration = responder.configuration
    let (accounts, stores, logger) = (responder.accounts, responder.stores, responder.logger)
    var services: [any Service] = [
        StoreCloser(stores: stores, accounts: accounts, recorder: responder.recorder),
        AssetTrial(health: responder.health, logger: logger),
        StoreKeeper(stores: stores, idleTime: configuration.environmentIdleTime, logger: logger),
        AssetCollector(
            accounts: accounts, stores: stores, interval: configuration.assetCollectionInterval, logger: logger,
            clock: configuration.clock),
        ExpiredPages(site: responder.site, interval: .seconds(60), logger: logger, clock: configuration.clock),
        PublishedNameKeeper(accounts: accounts, stores: stores, interval: .seconds(60), logger: logger),
        ExpiredTokens(
            accounts: accounts, stores: stores, interval: .seconds(600), logger: logger, clock: configuration.clock),
        PersonDeletions(
            accounts: accounts, stores: stores, limits: configuration.limits, interval: .seconds(60), logger: logger),
        NotedUseWriter(accounts: accounts, interval: configuration.usesInterval, logger: logger),
        EndedDevices(accounts: accounts, stores: stores, logger: logger),
        WebhookService(
            accounts: accounts, stores: stores, hub: responder.hub, settings: configuration.webhooks,
            metrics: responder.metrics, logger: logger, clock: configuration.clock),
        BackupService(
            keeper: responder.site.backups, folder: folder, logger: logger, clock: configuration.clock),
    ]
    if let address = configuration.metricsAddress {
        let gauges = MetricGauges(
            stores: stores, accounts: accounts, hub: responder.hub, folder: folder, requests: responder.recorder.log,
            mostDescriptors: configuration.descriptors)
        services.append(
            MetricsEndpoint.service(address, metrics: responder.metrics, gauges: gauges, logger: logger))
    }
    return services.map(NamedService.init)
}

private func makeStores(
    _ configuration: ServerConfiguration, _ budget: DescriptorBudget, _ folder: DataFolder, _ accounts: AccountStore,
    _ hub: NotificationHub, _ metrics: ServerMetrics, _ logger: Logger
) -> ContainerStores {
    let previews = PreviewMaker(
        mostPixels: configuration.limits.previewPixels, mostWaiting: configuration.limits.previewsPerAccount)
    if previews == nil {
        logger.warning("vipsthumbnail is not installed (Debian: libvips-tools), so there are no previews of pictures")
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
