import Synchronization

/// Users who are known to have a record, so that most requests need not look.
final class KnownUsers: Sendable {
    private struct State {
        var names = BoundedCache<String, Void>(capacity: 100_000)
        var epoch = 0
    }

    private let state = Mutex(State())

    func contains(_ name: String) -> Bool { state.withLock { $0.names.contains(name) } }

    /// Grows with each ``forget()``. To be read on the writer's queue, where the user is made sure of.
    var epoch: Int { state.withLock { $0.epoch } }

    /// Remembers a user, unless all were forgotten since `epoch`.
    func note(_ name: String, since epoch: Int) {
        state.withLock { state in
            guard state.epoch == epoch else { return }
            state.names.insert(name)
        }
    }

    /// To be called on the writer's queue, in the write that takes records of users away; and when another server may
    /// have.
    func forget() {
        state.withLock { state in
            state.names.removeAll()
            state.epoch += 1
        }
    }
}
