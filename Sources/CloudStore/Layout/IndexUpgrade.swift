import CloudModel
import CloudSQL

/// Fills the `indexes` table of an older database, whose fields were all indexed, and queues unmarked indexes for
/// removal.
enum IndexUpgrade {
    static func run(_ db: SQLConnection) throws {
        let catalog = try CatalogReader.loadOld(db)
        for type in catalog.stored {
            let marked = catalog.isRemoved(type: type.id) ? [] : type.markedColumns
            for column in marked { try note(column, of: type, db) }
            if !catalog.isRemoved(type: type.id) {
                for field in type.searchable {
                    try StoredIndexes.add(.words(field: field.id), type: type.id, generation: type.generation, db)
                }
            }
            for table in SchemaTables.tables(type) {
                for column in try columns(of: table, db).subtracting(marked) {
                    try DroppedTables.add(index: "\(table)_\(column)", db)
                }
            }
        }
    }

    /// Records a column's index; queues a build if the table lacks the index.
    private static func note(_ column: String, of type: RecordType, _ db: SQLConnection) throws {
        var generation: Int64?
        if try columns(of: SchemaTables.table(type), db).contains(column) { generation = type.generation }
        for build in try IndexBuilds.all(db) where generation == nil && build.type == type.id {
            let table = SchemaTables.table(type, generation: build.generation)
            if try !build.isStarted || columns(of: table, db).contains(column) { generation = build.generation }
        }
        try StoredIndexes.add(
            .values(column: column), type: type.id,
            generation: try generation ?? IndexBuilds.queue(type: type.id, db), db)
    }

    private static func columns(of table: String, _ db: SQLConnection) throws -> Set<String> {
        Set(try db.dialect.upkeep.indexes(of: table, db).map { String($0.dropFirst(table.count + 1)) })
    }
}
