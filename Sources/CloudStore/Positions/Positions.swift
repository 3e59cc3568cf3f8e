import CloudModel
import CloudSQL

/// The positions that changes are given, and the epoch that they are given in.
final class Positions: TransactionPart {
    /// The past of a file as the file itself tells it.
    struct History {
        var epochs: Epochs
        /// The time when the last position was given out.
        var changed: Timestamp?
        /// The last position given out.
        var position: Int64
    }

    private struct State {
        var history: History
        /// True if positions were given out since the last commit.
        var isAdvanced = false
    }

    private let now: Now
    private let ids: RowIDs
    private var state: Undoable<State>
    /// As the last commit left it.
    private var committedHistory: History
    /// The last position that this process has committed, which somebody may have been told.
    private var told: Int64
    private(set) var isBehind = false

    /// - Parameters:
    ///   - left: where this process stopped writing the file before; nil when it did not write it.
    ///   - ids: those of rows, which go on beyond what a lost copy of the file may have had.
    init(left: EpochMemory.Left?, ids: RowIDs, now: @escaping Now, _ db: SQLConnection) throws {
        self.now = now
        self.ids = ids
        let (position, changed) =
            try db.first("SELECT position, changed FROM store") { ($0.integer(0), $0.optionalTimestamp(1)) } ?? (0, nil)
        let epochs = try EpochTable.all(db)
        let isOpen = left != nil && left?.epoch == epochs.last?.id && left?.position == position
        committedHistory = History(epochs: Epochs(epochs, isOpen: isOpen), changed: changed, position: position)
        state = Undoable(State(history: committedHistory))
        told = position
    }

    /// The last position given out.
    var last: Int64 { state.now.history.position }

    /// A position no change has had before, in commit order because there is one writer.
    func next(_ db: SQLConnection) throws -> Int64 {
        state.now.history.position += 1
        state.now.isAdvanced = true
        if !state.now.history.epochs.isOpen { try beginEpoch(db) }
        return state.now.history.position
    }

    private func beginEpoch(_ db: SQLConnection) throws {
        var generator = RandomBits.Generator(.stores)
        // From the last position on disk, though a lost group may have used some more: those are nobody's.
        let epoch = Epoch(
            id: Int64.random(in: Epoch.ids, using: &generator), first: committedHistory.position + 1, began: now(),
            kept: state.now.history.changed)
        try EpochTable.insert(epoch, db)
        // A restored queue must not repeat numbers either.
        try NotificationQueue.skipNumbers(before: epoch.began, ids, db)
        state.now.history.epochs.begin(epoch)
    }

    /// The change tag of what was changed at `position`.
    func tag(_ position: Int64) -> String { state.now.history.epochs.tag(position) }

    /// Goes on after a history that comes from elsewhere, with the positions that its changes were given there.
    func adopt(_ epochs: [Epoch], changed: Timestamp?, position: Int64, _ db: SQLConnection) throws {
        for epoch in epochs { try EpochTable.insert(epoch, db) }
        state.now.history = History(epochs: Epochs(epochs), changed: changed, position: position)
    }

    /// The end of the epoch of this opening; nil when it wrote nothing.
    var left: EpochMemory.Left? {
        guard committedHistory.epochs.isOpen, let last = committedHistory.epochs.list.last else { return nil }
        return EpochMemory.Left(epoch: last.id, position: committedHistory.position)
    }

    /// Goes on after what another server has written.
    func refresh(_ db: SQLConnection) throws {
        let (position, changed, epoch) =
            try db.first(
                "SELECT position, changed, (SELECT id FROM epochs ORDER BY first DESC LIMIT 1) FROM store"
            ) { ($0.integer(0), $0.optionalTimestamp(1), $0.isNull(2) ? nil : $0.integer(2)) } ?? (0, nil, nil)
        isBehind = position < told
        // An epoch may have begun without a change of the position.
        guard isBehind || position != committedHistory.position || epoch != committedHistory.epochs.list.last?.id
        else { return }
        let epochs = Epochs(try EpochTable.all(db), isOpen: committedHistory.epochs.isOpen)
        committedHistory = History(epochs: epochs, changed: changed, position: position)
        state.reset(to: State(history: committedHistory))
    }

    /// At once, so that no other server goes on with an epoch that has given out positions which are lost.
    func beginHistory(_ db: SQLConnection) throws { try beginEpoch(db) }

    func begin() { state.begin() }
    func undo() { state.undo() }
    func keep() { state.keep() }

    func flush(_ db: SQLConnection) throws {
        if state.now.isAdvanced { state.now.history.changed = now() }
        state.now.isAdvanced = false
        let (history, committed) = (state.now.history, committedHistory)
        guard history.position != committed.position || history.changed != committed.changed else { return }
        try db.later(Self.move, [.integer(history.position), .timestamp(optional: history.changed)])
    }

    private static let move = DeferredStatement("UPDATE store SET position = ?, changed = ?", rank: WriteRank.group)

    func committed() {
        committedHistory = state.now.history
        told = committedHistory.position
    }

    func lost(_ db: SQLConnection) {
        guard db.dialect.hasOneWriter else {
            // Read anew by the next group.
            state.reset(to: State(history: committedHistory))
            return
        }
        let stored = (try? db.first("SELECT position FROM store") { $0.integer(0) }) ?? nil
        // A group that failed may be on disk all the same.
        committedHistory.position = max(stored ?? 0, committedHistory.position)
        var history = committedHistory
        history.position = max(history.position, state.now.history.position)
        state.reset(to: State(history: history))
    }
}

extension WriteTransaction {
    var positions: Positions { part() }

    /// A position no change has had before.
    func nextPosition() throws -> Int64 { try positions.next(db) }

    /// The change tag of what was changed at `position`.
    func tag(_ position: Int64) -> String { positions.tag(position) }
}
