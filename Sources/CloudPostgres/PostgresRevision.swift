import CloudModel
import CloudSQL
import CloudStore
import Dispatch
import Synchronization

/// The accounts' revision, which whoever changes what is remembered raises in the same transaction.
///
/// It is read several times a second, on a connection's own thread, so that requests wait for no answer: what another
/// program changes is seen within a quarter of a second, what this one changes at once.
final class PostgresRevision: AccountsProbe, Sendable {
    private struct State {
        var value: Int64?
        var at = ContinuousClock.now
        /// The changes of this program that it is later than.
        var count = 0
        var isReading = false
    }

    private static let interval = DispatchTimeInterval.milliseconds(200)
    /// An older value is read anew by who asks, and one that cannot be read for so long is not gone by any more.
    private static let (fresh, longest) = (Duration.milliseconds(800), Duration.seconds(5))

    private let connection: PostgresConnection
    private let changes: AccountChanges
    private let state = Mutex(State())

    init(_ connection: PostgresConnection, _ changes: AccountChanges) {
        self.connection = connection
        self.changes = changes
        readLater()
    }

    func current() throws -> Int64 {
        let known = state.withLock { $0 }
        let age = known.at.duration(to: .now)
        if let value = known.value, changes.count == known.count {
            if age < Self.fresh || known.isReading && age < Self.longest { return value }
        }
        if known.isReading, age >= Self.longest {
            throw ServerError(.tryAgainLater, "the database does not answer", .server(.database), retryAfter: 1)
        }
        return try connection.use(read)
    }

    func readAnew() { changes.note() }

    private func read(_ db: SQLConnection) throws -> Int64 {
        let (count, begin) = (changes.count, ContinuousClock.now)
        state.withLock { $0.isReading = true }
        defer { state.withLock { $0.isReading = false } }
        let raised = try db.first("SELECT value FROM revision") { $0.integer(0) } ?? 0
        // A promoted standby may have lost some, and counts on from there.
        let value = raised &+ (db.history ?? 0)
        state.withLock { state in (state.value, state.at, state.count) = (value, begin, count) }
        return value
    }

    private func readLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self else { return }
            // One that has no answer yet is not joined by others.
            if !state.withLock({ $0.isReading }) {
                connection.start { [weak self] db in _ = try? self?.read(db) }
            }
            readLater()
        }
    }
}

/// The number of times that accounts have changed for all that this program knows.
final class AccountChanges: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .acquiring) }

    func note() { number.add(1, ordering: .acquiringAndReleasing) }
}
