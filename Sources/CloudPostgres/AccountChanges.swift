import Synchronization

/// Counts the account changes known to this program, and notifies observers.
final class AccountChanges: Sendable {
    private typealias Observers = [Int: @Sendable () -> Void]

    private let number = Atomic(0)
    private let observers = Mutex<(last: Int, all: Observers)>((0, [:]))

    var count: Int { number.load(ordering: .acquiring) }

    /// Notes a change by this program.
    func note() {
        number.add(1, ordering: .acquiringAndReleasing)
        tell()
    }

    /// Notifies observers of a change by any program.
    func tell() {
        for observer in observers.withLock({ Array($0.all.values) }) { observer() }
    }

    /// Calls `observer` at each change, while the returned object lives.
    func observe(_ observer: @escaping @Sendable () -> Void) -> any Sendable {
        let id = observers.withLock { observers in
            observers.last += 1
            observers.all[observers.last] = observer
            return observers.last
        }
        return Observation(changes: self, id: id)
    }

    private final class Observation: Sendable {
        private let changes: AccountChanges
        private let id: Int

        init(changes: AccountChanges, id: Int) { (self.changes, self.id) = (changes, id) }

        deinit { changes.observers.withLock { $0.all[id] = nil } }
    }
}
