import CloudModel
import Synchronization

/// A cache of users with a record in the public database, which saves most requests a lookup.
final class KnownUsers: Sendable {
    private struct State {
        var names = BoundedCache<String, Void>(capacity: 100_000)
        var epoch = 0
    }

    private let state = Mutex(State())

    func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

    /// Increases with each ``forget()``. Read on the writer's queue, where the user's record is ensured.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Caches a user, unless ``forget()`` was called after `epoch`.
    func insert(_ name: String, since epoch: Int) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.names.insert(name)
        }
    }

    /// Called on the writer's queue in a write that deletes users' records, and when another server may have deleted users'
    /// records.
    func forget() {
        state.withLock { state in
            state.names.removeAll()
            state.epoch += 1
        }
    }
}
