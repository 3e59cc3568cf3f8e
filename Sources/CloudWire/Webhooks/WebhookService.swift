package import CloudAccounts
package import CloudHTTP
package import CloudModel
package import CloudStore
package import Logging
import ServiceLifecycle

/// Runs a courier for each webhook, and follows webhook changes within a quarter of a second.
package struct WebhookService: Service {
    package let accounts: AccountStore
    package let stores: ContainerStores
    package let hub: NotificationHub
    package let settings: WebhookSettings
    package let metrics: ServerMetrics
    package let logger: Logger
    package let clock: SettableClock

    package init(
        accounts: AccountStore, stores: ContainerStores, hub: NotificationHub, settings: WebhookSettings,
        metrics: ServerMetrics, logger: Logger, clock: SettableClock
    ) {
        self.accounts = accounts
        self.stores = stores
        self.hub = hub
        self.settings = settings
        self.metrics = metrics
        self.logger = logger
        self.clock = clock
    }

    private typealias Couriers = [Int64: Task<Void, Never>]

    /// The pause before a failed courier restarts.
    private static let pause = Duration.seconds(1)

    package func run() async throws {
        let watch = AccountsWatch(accounts: accounts, failure: "webhooks cannot be read", logger: logger)
        await cancelWhenGracefulShutdown {
            var couriers: Couriers = [:]
            await watch.run(job: "webhooks") { try await follow(&couriers, isOurs: $0) }
            for courier in couriers.values { courier.cancel() }
            for courier in couriers.values { await courier.value }
        }
    }

    /// Starts and stops couriers to match the webhooks, while this server holds the delivery job.
    private func follow(_ couriers: inout Couriers, isOurs: Bool) async throws {
        let webhooks = isOurs ? try await accounts.webhooks.list() : []
        let ids = Set(webhooks.map(\.id))
        for (id, courier) in couriers where !ids.contains(id) {
            courier.cancel()
            await courier.value
            couriers[id] = nil
        }
        for webhook in webhooks where couriers[webhook.id] == nil {
            couriers[webhook.id] = Task { await deliver(webhook) }
        }
        // Wakes the couriers, since dead letters may wait to be resent.
        hub.wake(Set(webhooks.map(\.device)))
        guard isOurs else { return }
        for webhook in try await accounts.webhooks.removed() { try await forget(webhook) }
    }

    private func deliver(_ webhook: Webhook) async {
        guard let listener = await hub.listen(to: webhook.device) else { return }
        defer { listener.leave() }
        while !Task.isCancelled {
            do {
                if let courier = try await courier(of: webhook) {
                    await withTaskGroup { group in
                        group.addTask { await courier.run(listener) }
                        group.addTask { await courier.buryPushedOut() }
                        await group.next()
                        group.cancelAll()
                    }
                }
                return
            } catch {
                logger.warning(
                    "a webhook cannot be served", metadata: ["webhook": "\(webhook.id)", "error": "\(error)"])
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Registers the webhook's device for notifications and makes its courier; nil if the container was deleted.
    private func courier(of webhook: Webhook) async throws -> WebhookCourier? {
        guard let container = try await accounts.containers.find(id: webhook.container) else { return nil }
        try await stores.store(container: container, environment: webhook.environment).devices.register(
            Device(token: webhook.device, user: Device.everybody, clientID: nil, expires: .max))
        if !webhook.isInForce { try await accounts.webhooks.noteInForce(webhook: webhook.id) }
        return WebhookCourier(
            webhook: webhook, secret: try await accounts.webhooks.secret(of: webhook),
            open: { [stores] in
                try await stores.store(container: container, environment: webhook.environment)
            },
            ifOpen: { [stores] in stores.ifOpen(container: container, environment: webhook.environment) },
            accounts: accounts,
            settings: settings, addresses: WebhookAddresses(allowPrivate: settings.allowPrivateAddresses),
            metrics: metrics, notifications: stores.notifications, logger: logger, clock: clock)
    }

    private func forget(_ webhook: Webhook) async throws {
        if let container = try await accounts.containers.find(id: webhook.container) {
            try await stores.existing(container: container, environment: webhook.environment)?
                .devices.remove(token: webhook.device)
        }
        try await accounts.webhooks.forget(id: webhook.id)
    }
}
