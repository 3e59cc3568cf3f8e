import CloudModel
import CloudSQL

/// Adds the indexes that a schema or query needs, and drops indexes without a mark.
///
/// Afterwards the caller must reload the schema.
struct IndexEdit {
    let transaction: WriteTransaction
    private let budget: IndexBudget
    private var db: SQLConnection { transaction.db }

    init(_ transaction: WriteTransaction) {
        self.transaction = transaction
        budget = IndexBudget(transaction.schema.pace)
    }

    /// Applies a type's new index marks.
    func apply(_ type: RecordType, from old: RecordType) throws {
        let (before, after) = (old.markedColumns, type.markedColumns)
        for column in after.subtracting(before).sorted() where type.indexes[column] == nil {
            try add(column, to: type, isAwaited: true)
        }
        for column in before.subtracting(after).sorted() where type.indexes[column] != nil {
            try SchemaTables.dropIndex(type, column: column, db)
            try StoredIndexes.remove(.values(column: column), type: type.id, db)
        }
        let had = Set(old.searchable.map(\.id))
        for field in type.searchable where !had.contains(field.id) && field.words == nil {
            try addWords(of: field, to: type, isAwaited: true)
        }
        for field in type.worded where !field.isSearchable {
            try StoredIndexes.remove(.words(field: field.id), type: type.id, db)
        }
    }

    /// Creates a column's index, or queues a build for a large type, because creation reads all records.
    ///
    /// - Parameter isAwaited: whether queries wait for the index; otherwise they scan all records meanwhile.
    func add(_ column: String, to type: RecordType, isAwaited: Bool) throws {
        var generation = type.generation
        if try !keepsDropped(column, of: type) {
            if try budget.takes(type, db) {
                try SchemaTables.createIndex(type, generation: generation, column: column, db)
            } else {
                // Both marks, whichever requested the index: queries check the mark they need.
                let marks: Set<IndexKind> = [.queryable, .sortable]
                generation = try IndexBuilds.queue(
                    type: type.id, unbuilt: isAwaited ? [name(of: column): marks] : [:], db)
            }
        }
        try StoredIndexes.add(.values(column: column), type: type.id, generation: generation, db)
    }

    /// Starts keeping a field's words, and queues a build for existing records.
    func addWords(of field: FieldDefinition, to type: RecordType, isAwaited: Bool) throws {
        let generation = try IndexBuilds.queue(
            type: type.id, derivingAll: true,
            unbuilt: isAwaited ? [ResolvedQuery.Subject.field(field).column: [.searchable]] : [:], db)
        try StoredIndexes.add(.words(field: field.id), type: type.id, generation: generation, db)
    }

    /// An index queued for removal is still complete, unless a build will replace its table.
    private func keepsDropped(_ column: String, of type: RecordType) throws -> Bool {
        guard try !IndexBuilds.has(type, db) else { return false }
        return try DroppedTables.keep(index: SchemaTables.index(type, column: column), db)
    }

    /// The column's name in queries.
    private func name(of column: String) -> String {
        SchemaTables.systemColumns.first { $0.column == column }?.field.rawValue ?? column
    }
}
