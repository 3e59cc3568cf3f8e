import CloudModel
import CloudSQL
import Synchronization

/// The schema of the last commit, for everybody.
final class PublishedCatalog: Sendable {
    private let current = Mutex(Catalog(version: 0))
    private let onAdoption: @Sendable () -> Void

    /// - Parameter onAdoption: called when a schema of another server's has become this one's.
    init(onAdoption: @escaping @Sendable () -> Void = {}) { self.onAdoption = onAdoption }

    var catalog: Catalog { current.withLock { $0 } }

    func set(_ catalog: Catalog) {
        current.withLock { if $0.version != catalog.version { $0 = catalog } }
    }

    /// The schema that a read's snapshot was written under. One that another server has made is everybody's from then on,
    /// though nobody writes here.
    func current(_ db: SQLConnection) throws -> Catalog {
        let known = catalog
        let found = try CatalogReader.current(known, db)
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
        if isNew { onAdoption() }
    }
}
