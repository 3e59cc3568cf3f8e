import CloudModel
import CloudSQL

/// The entries of indexes that one schema change may still make in its own transaction, over all types and fields.
final class IndexBudget {
    private var rest: Int

    init(_ pace: BuildPace) { rest = pace.mostIndexedAtOnce }

    /// Whether an index over the records of a type may be made at once. One that has something to wait for waits too.
    func takes(_ type: RecordType, _ db: SQLConnection) throws -> Bool {
        guard try !IndexBuilds.has(type, db), let count = try RecordCount(type).upTo(rest, db) else { return false }
        rest -= count
        return true
    }
}
