import CloudModel
import CloudSQL

/// Rebuilds the word index after a change of the word rules: words from older rules cannot be recomputed, and so not
/// deleted one by one.
enum TextSearchUpgrade {
    static func run(_ db: SQLConnection) throws {
        let isOld = try db.first("SELECT 1 FROM text_sets WHERE version <> ?", .integer(Words.version)) { _ in true }
        guard isOld == true else { return }
        try db.dialect.words.removeAll(db)
        try db.run("UPDATE records SET text_set = NULL WHERE text_set IS NOT NULL")
        try db.run("DELETE FROM text_sets")
        for type in try CatalogReader.load(db).types.values where !type.worded.isEmpty {
            let unbuilt = type.worded.map { (SchemaTables.column(.field($0)), Set([IndexKind.searchable])) }
            try IndexBuilds.queue(
                type: type.id, derivingAll: true, unbuilt: Dictionary(uniqueKeysWithValues: unbuilt), db)
        }
    }
}
