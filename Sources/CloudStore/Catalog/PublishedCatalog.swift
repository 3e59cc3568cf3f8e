import CloudModel
import CloudSQL
import Synchronization

/// The schema of the last commit, for everybody.
final class PublishedCatalog: Sendable {
    private let current = Mutex(Catalog(version: 0))

    var catalog: Catalog { current.withLock { $0 } }

    func set(_ catalog: Catalog) {
        current.withLock { if $0.version != catalog.version { $0 = catalog } }
    }

    /// The schema that a read's snapshot was written under. One that another server has made is everybody's from then on,
    /// though nobody writes here.
    func current(_ db: SQLConnection) throws -> Catalog {
        let known = catalog
        let found = try CatalogReader.current(known, db)
        if found.version != known.version { current.withLock { if $0.version < found.version { $0 = found } } }
        return found
    }
}
