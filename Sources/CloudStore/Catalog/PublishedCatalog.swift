import CloudModel
import CloudSQL
import Synchronization

/// The committed schema, shared by all readers.
final class PublishedCatalog: Sendable {
    private let current = Mutex(Catalog(version: 0))
    private let onChange: @Sendable () -> Void
    private let onAdoption: @Sendable () -> Void

    /// - Parameters:
    ///   - onChange: called after each schema change, local or remote.
    ///   - onAdoption: called after adopting another server's schema.
    init(onChange: @escaping @Sendable () -> Void = {}, onAdoption: @escaping @Sendable () -> Void = {}) {
        self.onChange = onChange
        self.onAdoption = onAdoption
    }

    var catalog: Catalog { current.withLock { $0 } }

    func set(_ catalog: Catalog) {
        let isNew = current.withLock { current in
            guard current.version != catalog.version else { return false }
            current = catalog
            return true
        }
        if isNew { onChange() }
    }

    /// The schema of a read's snapshot. A newer schema from another server is published at once, even without local
    /// writes.
    func current(_ db: SQLConnection) throws -> Catalog {
        let known = catalog
        try db.beginStable()
        let rows = db.stable(StableRows.init)
        if let version = rows?.catalogVersion, version == known.version { return known }
        let found = try CatalogReader.current(known, db)
        rows?.catalogVersion = found.version
        if found.version != known.version { adopt(found) }
        return found
    }

    /// Drops the cache of known users, whose records a failover may have lost.
    func forgetUsers() { onAdoption() }

    /// Publishes a schema that another server committed.
    func adopt(_ catalog: Catalog) {
        let isNew = current.withLock { current in
            guard current.version < catalog.version else { return false }
            current = catalog
            return true
        }
        guard isNew else { return }
        onAdoption()
        onChange()
    }
}
