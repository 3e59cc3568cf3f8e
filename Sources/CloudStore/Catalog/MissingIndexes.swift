import CloudModel
import Synchronization

/// Missing indexes that could have led a query. The first such query creates them.
struct MissingIndexes: Equatable, Sendable {
    let type: Int64
    /// Columns of the values table.
    var columns: Set<String> = []
    /// Fields, by id, whose words the query searches.
    var words: Set<Int64> = []

    var isEmpty: Bool { columns.isEmpty && words.isEmpty }
}

/// A query that would scan many records for lack of an index.
struct LacksIndex: Error {
    let type: Int64
    let typeName: String
    /// The query's first field without a finished index.
    let field: String
    /// Indexes to create; empty if all are being built.
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

/// A query's missing indexes, passed from the read to the waiting caller.
final class MissingNote: Sendable {
    private let noted = Mutex<MissingIndexes?>(nil)

    var missing: MissingIndexes? { noted.withLock { $0 } }

    func set(_ missing: MissingIndexes) { noted.withLock { $0 = missing } }
}
