import CloudModel
import CloudSQL

/// The index entries that a schema change may still write in its own transaction, over all types and fields.
final class IndexBudget {
    private var rest: Int

    init(_ pace: BuildPace) { rest = pace.mostIndexedAtOnce }

    /// Returns true if an index on the type may be built at once, and deducts its records. Types with queued builds
    /// must wait.
    func takes(_ type: RecordType, _ db: SQLConnection) throws -> Bool {
        guard try !IndexBuilds.has(type, db), let count = try RecordCount(type).upTo(rest, db) else { return false }
        rest -= count
        return true
    }
}
