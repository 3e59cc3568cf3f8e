import CloudModel
import CloudSQL

/// Sees to the words and places of records that were written before these were kept.
enum RecordUpgrade {
    static func run(_ db: SQLConnection) throws {
        // Fields of older files were made just in time, when places had no marks.
        try db.run(
            "UPDATE fields SET indexes = ? WHERE kind = 'LOCATION' AND is_list = 0 AND is_encrypted = 0 AND indexes = ''",
            .text(SchemaColumns.text(IndexKind.justInTime(for: FieldType(.location)))))
        for type in try CatalogReader.loadOld(db).types.values {
            let unbuilt = type.fields.values.reduce(into: [String: Set<IndexKind>]()) { unbuilt, field in
                let beside = field.type.kind == .location ? field.indexes : field.indexes.intersection([.searchable])
                if !beside.isEmpty { unbuilt[SchemaTables.column(.field(field))] = beside }
            }
            if !unbuilt.isEmpty { try IndexBuilds.queue(type: type.id, derivingAll: true, unbuilt: unbuilt, db) }
        }
    }
}
