import CloudModel
import CloudSQL
import Synchronization

/// The numbers of users' roles as readers have found them.
///
/// State, under one lock: the version of the schema the entries belong to, the entries, and how often a user's roles
/// have changed. What a reader has found is kept only if nothing changed since before its snapshot, so an old answer is
/// never remembered as a new one.
final class RoleMemory: Sendable {
    private struct State {
        var version: Int64 = 0
        var numbers = BoundedCache<String, Set<Int64>>()
        var changes: Int64 = 0
    }

    private let state = Mutex(State())

    /// To be called when a commit has changed the roles of these users, before anybody is told.
    func forget(_ users: Set<String>) {
        guard !users.isEmpty else { return }
        state.withLock {
            $0.changes += 1
            for user in users { $0.numbers[user] = nil }
        }
    }

    /// To be asked for before the snapshot that it is used in.
    func reader() -> Reader { Reader(memory: self, changes: state.withLock { $0.changes }) }

    struct Reader: Sendable {
        fileprivate let memory: RoleMemory
        fileprivate let changes: Int64

        /// - Parameter version: of the schema that the reader goes by.
        func numbers(of user: String, catalog version: Int64, _ db: SQLConnection) throws -> Set<Int64> {
            // What another server writes is told to nobody here.
            guard db.dialect.hasOneWriter else { return try UserRoles.numbers(of: user, db) }
            if let known = memory.known(user, version) { return known }
            let numbers = try UserRoles.numbers(of: user, db)
            memory.remember(numbers, of: user, version, changes)
            return numbers
        }
    }

    private func known(_ user: String, _ version: Int64) -> Set<Int64>? {
        state.withLock { $0.version == version ? $0.numbers[user] : nil }
    }

    private func remember(_ numbers: Set<Int64>, of user: String, _ version: Int64, _ changes: Int64) {
        state.withLock { state in
            guard state.changes == changes, version >= state.version else { return }
            if version > state.version {
                state.version = version
                state.numbers = BoundedCache()
            }
            state.numbers[user] = numbers
        }
    }
}
