import CloudEngine
import CloudModel
import CloudSQL
import Dispatch
import Synchronization

/// The accounts' revision, raised in the same transaction as each change of cached data.
///
/// A background reading several times a second keeps requests from waiting: changes by other programs appear within a
/// quarter of a second, own changes at once. During a reading, or while the database is silent, the last value stays
/// valid for some seconds.
final class PostgresRevision: AccountsProbe, RevisionSource {
    private typealias Waiter = CheckedContinuation<AccountsRevision, any Error>

    private struct State {
        var value: AccountsRevision?
        /// The start time of the reading of `value`.
        var at = ContinuousClock.now
        /// The count of own changes included in `value`.
        var count = 0
        var isReading = false
        /// The error of the last reading.
        var error: (any Error)?
        /// Callers waiting for a reading that begins after their call.
        var waiting: [Waiter] = []
    }

    private static let interval = DispatchTimeInterval.milliseconds(200)
    /// The time for which the last value stays valid.
    private static let longest = Duration.seconds(5)
    private static let timer = DispatchQueue(label: "accounts' revision")

    private let connection: PostgresConnection
    private let changes: AccountChanges
    private let state = Mutex(State())

    init(_ connection: PostgresConnection, _ changes: AccountChanges) {
        self.connection = connection
        self.changes = changes
        readLater()
    }

    var source: (any RevisionSource)? { self }

    func current() throws -> AccountsRevision? {
        let known = state.withLock { $0 }
        let isOld = known.at.duration(to: .now) >= Self.longest
        if isOld, known.isReading || known.error != nil {
            throw known.error
                ?? ServerError(.tryAgainLater, "the database does not answer", .server(.database), retryAfter: 1)
        }
        return isOld || changes.count != known.count ? nil : known.value
    }

    func readAnew() { changes.note() }

    func read() async throws -> AccountsRevision {
        try await withCheckedThrowingContinuation { continuation in
            let begins = state.withLock { state in
                state.waiting.append(continuation)
                defer { state.isReading = true }
                return !state.isReading
            }
            if begins { startReading() }
        }
    }

    func readBlocking() throws -> AccountsRevision { try connection.use(ask) }

    private func startReading() { connection.start { db in self.answer(db) } }

    private func answer(_ db: SQLConnection) {
        let first = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        let result = Result { try ask(db) }
        let (others, goesOn) = state.withLock { state -> ([Waiter], Bool) in
            guard case .failure(let error) = result else {
                state.isReading = !state.waiting.isEmpty
                return ([], state.isReading)
            }
            defer { (state.error, state.isReading, state.waiting) = (error, false, []) }
            // The waiters of the next reading would also fail.
            return (state.waiting, false)
        }
        for waiter in first + others { waiter.resume(with: result) }
        if goesOn { startReading() }
    }

    private func ask(_ db: SQLConnection) throws -> AccountsRevision {
        let (count, begin) = (changes.count, ContinuousClock.now)
        let row =
            try db.first("SELECT value, additions FROM revision") { (changes: $0.integer(0), additions: $0.integer(1)) }
            ?? (changes: 0, additions: 0)
        // A promoted standby may lack changes and reuse revision numbers, so the history is added.
        let lost = db.sharing?.history ?? 0
        let value = AccountsRevision(changes: row.changes &+ lost, additions: row.additions &+ lost)
        let isNew = state.withLock { state in
            defer { (state.value, state.at, state.count, state.error) = (value, begin, count, nil) }
            return state.value != value
        }
        if isNew { changes.tell() }
        return value
    }

    private func readLater() {
        Self.timer.asyncAfter(deadline: .now() + Self.interval) { [weak self] in
            guard let self else { return }
            // Skip this turn while a reading is running.
            let begins = state.withLock { state in
                defer { state.isReading = true }
                return !state.isReading
            }
            if begins { startReading() }
            readLater()
        }
    }
}
