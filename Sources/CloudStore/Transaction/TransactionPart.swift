import CloudSQL

/// State of one feature while requests are written: what mirrors the database, and what is written once for a group.
///
/// Used on the writer's thread only. Requests of a group follow each other; each one's changes can be undone without
/// the others'.
protocol TransactionPart: AnyObject {
    /// Drops cached state. Called when another server has committed since the last group.
    func refresh(_ db: SQLConnection) throws

    /// Whether the last ``refresh(_:)`` has found less than this process has committed.
    var isBehind: Bool { get }

    /// The database goes on from a copy that may lack changes which were acknowledged, as after a failover. To be written
    /// with the group that finds it.
    func beginHistory(_ db: SQLConnection) throws

    /// A group of requests begins.
    func beginGroup()

    /// A request begins, or a step of one that may fail by itself.
    func begin()

    /// Undoes what has changed since the last ``begin()`` without an end, in the database too.
    func undo()

    /// Keeps what has changed since then, unless something around it is undone.
    func keep()

    /// The request has done all it will; what follows from it is written now, as a part of it.
    func finish(_ transaction: WriteTransaction) throws

    /// Writes what was kept back for the group.
    func flush(_ db: SQLConnection) throws

    /// The group is on disk.
    func committed()

    /// The group's requests have their answers, and others may be told of it.
    func answered()

    /// The group is lost, or may be: back to what the last commit left.
    func lost(_ db: SQLConnection)
}

extension TransactionPart {
    func refresh(_ db: SQLConnection) throws { lost(db) }
    var isBehind: Bool { false }
    func beginHistory(_ db: SQLConnection) throws {}
    func beginGroup() {}
    func finish(_ transaction: WriteTransaction) throws {}
    func flush(_ db: SQLConnection) throws {}
    func answered() {}
}

/// A value and what it was when the steps that are still open began.
struct Undoable<Value> {
    var now: Value
    private var before: [Value] = []

    init(_ value: Value) { now = value }

    /// The value before all steps that have not ended: when the request began.
    var atFirst: Value { before.first ?? now }

    mutating func begin() { before.append(now) }
    mutating func undo() { if let last = before.popLast() { now = last } }
    mutating func keep() { before.removeLast() }

    /// Forgets all steps.
    mutating func reset(to value: Value) {
        now = value
        before.removeAll()
    }
}
