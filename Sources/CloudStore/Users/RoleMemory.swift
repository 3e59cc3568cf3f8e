import CloudModel
import CloudSQL
import Synchronization

/// A cache of users' role numbers, filled by readers.
///
/// State, guarded by one lock: the schema version of the entries, the entries, and a count of role changes. A reader's result
/// is cached only if no role has changed since before the reader's snapshot, so that an outdated result is never cached.
final class RoleMemory: Sendable {
    private struct State {
        var version: Int64 = 0
        var numbers = BoundedCache<String, Set<Int64>>()
        var changes: Int64 = 0
    }

    private let state = Mutex(State())

    /// Called when a commit has changed these users' roles, before the commit is announced.
    func forget(_ users: Set<String>) {
        guard !users.isEmpty else { return }
        state.withLock {
            $0.changes += 1
            for user in users { $0.numbers[user] = nil }
        }
    }

    /// A reader of the cache; create it before taking a snapshot.
    func reader() -> Reader { Reader(memory: self, changes: state.withLock { $0.changes }) }

    struct Reader: Sendable {
        fileprivate let memory: RoleMemory
        fileprivate let changes: Int64

        /// - Parameter version: the schema version of the reader.
        func numbers(of user: String, catalog version: Int64, _ db: SQLConnection) throws -> Set<Int64> {
            // Other servers change roles without notice, so the cache serves databases with one writer only.
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
