import CloudModel
import CloudSQL

/// The entries of indexes that one schema change may still make in its own transaction, over all types and fields.
final class IndexBudget {
    private var rest: Int

    init(_ pace: BuildPace) { rest = pace.mostIndexedAtOnce }

    /// Returns true if an index over the records of the type may be built at once. A type with waiting builds waits
    /// too.
    func takes(_ type: RecordType, _ db: SQLConnection) throws -> Bool {
        guard try !IndexBuilds.has(type, db), let count = try RecordCount(type).upTo(rest, db) else { return false }
        rest -= count
        return true
    }
}
