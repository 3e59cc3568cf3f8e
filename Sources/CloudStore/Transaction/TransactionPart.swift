import CloudSQL

/// The state of one feature during writes: a mirror of database rows, and deferred writes of a group.
///
/// Confined to the writer's thread. Requests of a group run in sequence, and each request can be undone separately.
protocol TransactionPart: AnyObject {
    /// Drops cached state. Called when another server has committed since the last group.
    func refresh(_ db: SQLConnection) throws -> Freshness

    /// Starts a new history, because the database continues from a copy that may lack acknowledged changes, as after a
    /// failover. Written with the current group.
    func beginHistory(_ db: SQLConnection) throws

    /// Called at the start of a request, or of a savepoint within a request.
    func begin()

    /// Undoes the changes since the matching ``begin()``; the database undoes its own.
    func undo()

    /// Keeps the changes since the matching ``begin()``, unless an outer step is undone.
    func keep()

    /// Writes the consequences of a finished request, as a part of it.
    func finish(_ transaction: WriteTransaction) throws

    /// Writes the deferred changes of the group.
    func flush(_ db: SQLConnection) throws

    /// Called after the group's commit.
    func committed()

    /// Called after the answers to the group's requests, for notifications.
    func answered()

    /// Resets to the last commit, because the group's commit failed or is uncertain.
    func lost(_ db: SQLConnection)
}

extension TransactionPart {
    func refresh(_ db: SQLConnection) throws -> Freshness {
        lost(db)
        return .current
    }

    func beginHistory(_ db: SQLConnection) throws {}
    func finish(_ transaction: WriteTransaction) throws {}
    func flush(_ db: SQLConnection) throws {}
    func answered() {}
}

/// The result of reading the database again.
enum Freshness {
    case current
    /// The database has less data than this process has committed.
    case behind
}

/// A value with its earlier states, one per open step.
struct Undoable<Value> {
    var now: Value
    private var before: [Value] = []

    init(_ value: Value) { now = value }

    /// The value at the start of the request, before all open steps.
    var atFirst: Value { before.first ?? now }

    mutating func begin() { before.append(now) }
    mutating func undo() { if let last = before.popLast() { now = last } }
    mutating func keep() { before.removeLast() }

    /// Sets the value and drops all steps.
    mutating func reset(to value: Value) {
        now = value
        before.removeAll()
    }
}
