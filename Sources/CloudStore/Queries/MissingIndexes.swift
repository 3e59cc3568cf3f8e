import CloudModel
import Synchronization

/// Indexes that would have led a query, had anybody asked for it before: its first use makes them.
struct MissingIndexes: Equatable, Sendable {
    let type: Int64
    /// Columns of the values table.
    var columns: Set<String> = []
    /// Fields, by their ids, whose words are looked for.
    var words: Set<Int64> = []

    var isEmpty: Bool { columns.isEmpty && words.isEmpty }
}

/// A query that would look at many records for want of an index.
struct LacksIndex: Error {
    let type: Int64
    let typeName: String
    /// The first of the query's fields that has no index yet.
    let field: String
    /// Indexes that nobody has asked for; empty where all are being built.
    let missing: MissingIndexes

    init(_ query: ResolvedQuery, _ missing: MissingIndexes) {
        (type, typeName, self.missing) = (query.type.id, query.type.name, missing)
        let words = query.searches.flatMap(\.fields).filter { !query.type.hasWords(of: $0) }.map(\.name)
        let values = (query.filters.map(\.subject) + query.sorts.map(\.subject)).filter {
            let column = SchemaTables.column($0)
            return SchemaTables.isIndexable(column, of: query.type) && !query.type.hasIndex(column)
        }
        field = words.first ?? values.first?.name ?? SystemField.createdUserRecordName.rawValue
    }
}

/// Indexes that a query was missing, passed from the read to the caller that waits for it.
final class MissingNote: Sendable {
    private let noted = Mutex<MissingIndexes?>(nil)

    var missing: MissingIndexes? { noted.withLock { $0 } }

    func set(_ missing: MissingIndexes) { noted.withLock { $0 = missing } }
}
