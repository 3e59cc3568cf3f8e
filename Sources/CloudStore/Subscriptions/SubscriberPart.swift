import CloudModel
import CloudSQL

/// Collects a request's notifications to subscribers, and limits their cost.
final class SubscriberPart: TransactionPart, ChangeListener {
    private struct State {
        var watched: WatchedTypes
        var pending = PendingChanges()
        /// Users whose subscriptions are paused; `hasNewPause` is true if a pause began since the last commit.
        var paused: Set<String>
        var hasNewPause = false
    }

    /// The container's name, for notifications.
    let container: String
    let queries = WatchedQueries()
    let budget = NotificationBudget()
    private let onPause: @Sendable () -> Void
    private var state: Undoable<State>
    /// State as of the last commit.
    private var committedWatched: WatchedTypes
    private var committedPaused: Set<String>

    /// - Parameter onPause: called after a commit that began a pause.
    init(container: String, onPause: @escaping @Sendable () -> Void, _ db: SQLConnection) throws {
        self.container = container
        self.onPause = onPause
        committedWatched = try WatchedTypes.load(db)
        committedPaused = try SubscriptionPause.users(db)
        state = Undoable(State(watched: committedWatched, paused: committedPaused))
    }

    /// The types with active subscriptions, including uncommitted changes.
    var watched: WatchedTypes {
        get { state.now.watched }
        set { state.now.watched = newValue }
    }

    /// Users whose subscriptions are paused.
    var paused: Set<String> { state.now.paused }

    func addPause(of user: String) {
        state.now.paused.insert(user)
        state.now.hasNewPause = true
    }

    func removePause(of user: String) { state.now.paused.remove(user) }

    // MARK: What changes

    func changed(zone: Int64) { if watched.hasOthers { state.now.pending.add(zone: zone) } }
    func changed(share: Int64) { if watched.hasOthers { state.now.pending.add(share: share) } }
    func changed(memberships user: String) { if watched.hasOthers { state.now.pending.add(member: user) } }

    func changed(_ records: [ChangedRecord], _ transaction: WriteTransaction) throws {
        var changes = records.filter { watched.fields(ofType: $0.type.id) != nil }.map(RecordChange.init)
        let going = changes.indices.filter { changes[$0].reason == .delete }
        if !going.isEmpty {
            let departures = try RecordMatching(transaction).firings(going.map { changes[$0] })
            for (index, firings) in zip(going, departures) { changes[index].departures = firings }
        }
        for change in changes { state.now.pending.add(change) }
    }

    // MARK: As a part

    func refresh(_ db: SQLConnection) throws -> Freshness {
        committedWatched = try WatchedTypes.load(db)
        committedPaused = try SubscriptionPause.users(db)
        lost(db)
        return .current
    }

    func begin() { state.begin() }

    func undo() {
        state.undo()
        queries.forget()
    }

    func keep() { state.keep() }

    func finish(_ transaction: WriteTransaction) throws {
        if state.now.pending.isEmpty { return }
        try ChangeAnnouncer(transaction).announce(state.now.pending)
        state.now.pending = PendingChanges()
    }

    func committed() {
        (committedWatched, committedPaused) = (state.now.watched, state.now.paused)
        if state.now.hasNewPause { onPause() }
        state.now.hasNewPause = false
    }

    func lost(_ db: SQLConnection) {
        state.reset(to: State(watched: committedWatched, paused: committedPaused))
        queries.forget()
    }
}

extension WriteTransaction {
    var subscribers: SubscriberPart { part() }
}
