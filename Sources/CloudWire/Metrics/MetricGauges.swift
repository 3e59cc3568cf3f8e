package import CloudAccounts
package import CloudEngine
package import CloudHTTP
import CloudModel
package import CloudStore
import CloudTransfer
import Foundation

/// Gauges that are read when metrics are requested.
package struct MetricGauges: Sendable {
    package let stores: ContainerStores
    package let accounts: AccountStore
    package let hub: NotificationHub
    package let folder: DataFolder
    package let requests: RequestLog
    package let mostDescriptors: Int

    package init(
        stores: ContainerStores, accounts: AccountStore, hub: NotificationHub, folder: DataFolder, requests: RequestLog,
        mostDescriptors: Int
    ) {
        self.stores = stores
        self.accounts = accounts
        self.hub = hub
        self.folder = folder
        self.requests = requests
        self.mostDescriptors = mostDescriptors
    }

    package func look(_ metrics: ServerMetrics) {
        let figures = stores.figures
        metrics.set(MetricCatalog.writerQueue, to: figures.waitingWrites)
        metrics.set(MetricCatalog.logBytes, to: figures.logBytes + accounts.logBytes)
        metrics.set(MetricCatalog.openDatabases, to: figures.open)
        metrics.set(MetricCatalog.indexBuilds, to: figures.working)
        metrics.set(MetricCatalog.waitingPolls, to: hub.count)
        if let free = folder.disk?.free { metrics.set(MetricCatalog.freeBytes, to: free) }
        if let last = BackupNote.read(folder) {
            metrics.set(MetricCatalog.backupAge, to: max(0, (accounts.now() - last.began).components.seconds))
        }
        // The directory listing itself holds a descriptor, which is subtracted. On Linux, /dev/fd links to
        // /proc/self/fd.
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count {
            metrics.set(MetricCatalog.descriptors, to: open - 1)
        }
        metrics.set(MetricCatalog.mostDescriptors, to: mostDescriptors)
        metrics.set(MetricCatalog.remembered, to: requests.size.count)
        metrics.set(MetricCatalog.build, to: 1, ("version", ProgramVersion.text))
    }
}
