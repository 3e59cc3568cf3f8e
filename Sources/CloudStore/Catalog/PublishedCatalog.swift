import CloudModel
import Synchronization

/// The schema of the last commit, for everybody.
final class PublishedCatalog: Sendable {
    private let current = Mutex(Catalog(version: 0))

    var catalog: Catalog { current.withLock { $0 } }

    func set(_ catalog: Catalog) {
        current.withLock { if $0.version != catalog.version { $0 = catalog } }
    }
}
