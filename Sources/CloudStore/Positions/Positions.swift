import CloudEngine
package import CloudModel
package import CloudSQL

/// Gives out the positions of changes, and the epoch of the positions.
package final class Positions: TransactionPart {
    /// The history as stored in the file.
    struct History {
        var epochs: Epochs
        /// The time of the last position.
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
    /// The history as of the last commit.
    private var committedHistory: History
    /// The last position that this process has committed and clients may have seen.
    private var told: Int64

    /// - Parameters:
    ///   - left: the end of this process's previous writing to the file; nil without one.
    ///   - ids: the row numbers, to skip those that a lost copy of the file may have used.
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

    /// A new position, ascending in commit order because there is one writer.
    func next(_ db: SQLConnection) throws -> Int64 {
        state.now.history.position += 1
        state.now.isAdvanced = true
        if !state.now.history.epochs.isOpen { try beginEpoch(db) }
        return state.now.history.position
    }

    private func beginEpoch(_ db: SQLConnection) throws {
        var generator = RandomBits.Generator(.stores)
        // Start after the last position on disk: positions of a lost group were never visible.
        let epoch = Epoch(
            id: Int64.random(in: Epoch.ids, using: &generator), first: committedHistory.position + 1, began: now(),
            kept: state.now.history.changed)
        try EpochTable.insert(epoch, db)
        // A restored queue must not repeat message numbers either, even those of a lost copy of the file: a thousand
        // numbers per millisecond are more than any server uses.
        try ids.skip(to: epoch.began.milliseconds * 1000, in: .notifications, db)
        state.now.history.epochs.begin(epoch)
    }

    /// The change tag for `position`.
    func tag(_ position: Int64) -> String { state.now.history.epochs.tag(position) }

    /// Continues an imported history, with its original positions.
    package func adopt(_ epochs: [Epoch], changed: Timestamp?, position: Int64, _ db: SQLConnection) throws {
        for epoch in epochs { try EpochTable.insert(epoch, db) }
        state.now.history = History(epochs: Epochs(epochs), changed: changed, position: position)
    }

    /// The end of this opening's epoch; nil if it wrote nothing.
    var left: EpochMemory.Left? {
        guard committedHistory.epochs.isOpen, let last = committedHistory.epochs.list.last else { return nil }
        return EpochMemory.Left(epoch: last.id, position: committedHistory.position)
    }

    /// Continues after another server's commit.
    func refresh(_ db: SQLConnection) throws -> Freshness {
        let (position, changed, epoch) =
            try db.first(
                "SELECT position, changed, (SELECT id FROM epochs ORDER BY first DESC LIMIT 1) FROM store"
            ) { ($0.integer(0), $0.optionalTimestamp(1), $0.isNull(2) ? nil : $0.integer(2)) } ?? (0, nil, nil)
        let isBehind = position < told
        // An epoch may begin without a change of the position.
        guard isBehind || position != committedHistory.position || epoch != committedHistory.epochs.list.last?.id
        else { return .current }
        let epochs = Epochs(try EpochTable.all(db), isOpen: committedHistory.epochs.isOpen)
        committedHistory = History(epochs: epochs, changed: changed, position: position)
        state.reset(to: State(history: committedHistory))
        return isBehind ? .behind : .current
    }

    /// Begins an epoch at once, so that no other server continues an epoch whose later positions are lost.
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
            // The next group reads the state again.
            state.reset(to: State(history: committedHistory))
            return
        }
        let stored = (try? db.first("SELECT position FROM store") { $0.integer(0) }) ?? nil
        // A failed commit may have reached the disk.
        committedHistory.position = max(stored ?? 0, committedHistory.position)
        var history = committedHistory
        history.position = max(history.position, state.now.history.position)
        state.reset(to: State(history: history))
    }
}

extension WriteTransaction {
    package var positions: Positions { part() }

    /// A new position.
    func nextPosition() throws -> Int64 { try positions.next(db) }

    /// The change tag for `position`.
    package func tag(_ position: Int64) -> String { positions.tag(position) }
}
