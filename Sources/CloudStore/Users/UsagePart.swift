import CloudSQL

/// Changes in what owners store since the last commit, more or less.
final class UsagePart: TransactionPart {
    private var counts = Undoable<[String: Usage]>([:])

    func add(bytes: Int, records: Int, owner: String) {
        counts.now[owner, default: Usage()].bytes += Int64(bytes)
        counts.now[owner, default: Usage()].records += Int64(records)
    }

    func begin() { counts.begin() }
    func undo() { counts.undo() }
    func keep() { counts.keep() }

    func flush(_ db: SQLConnection) throws {
        for (owner, usage) in counts.now { try UsageTable.add(usage, owner: owner, db) }
    }

    func committed() { counts.now.removeAll() }
    func lost(_ db: SQLConnection) { counts.reset(to: [:]) }
}

extension WriteTransaction {
    /// Counts what `owner` stores more, or less.
    func count(bytes: Int, records: Int, owner: String) {
        part(UsagePart.self).add(bytes: bytes, records: records, owner: owner)
    }
}
