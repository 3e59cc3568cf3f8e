import CloudModel
import CloudSQL

/// Queues builds that add words and locations to records from older versions.
enum RecordUpgrade {
    static func run(_ db: SQLConnection) throws {
        // Location fields of older databases were made just in time, without index marks.
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
