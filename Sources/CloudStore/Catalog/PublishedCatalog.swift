import CloudModel
import CloudSQL
import Synchronization

/// The schema of the last commit, for everybody.
final class PublishedCatalog: Sendable {
    private let current = Mutex(Catalog(version: 0))
    private let onChange: @Sendable () -> Void
    private let onAdoption: @Sendable () -> Void

    /// - Parameters:
    ///   - onChange: called when the schema has become another, whoever changed it.
    ///   - onAdoption: called when a schema of another server's has become this one's.
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

    /// The schema that a read's snapshot was written under. One that another server has made is everybody's from then on,
    /// though nobody writes here.
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

    /// Forgets who has a record, as where such records may be lost.
    func forgetUsers() { onAdoption() }

    /// Takes a schema that another server has committed.
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
