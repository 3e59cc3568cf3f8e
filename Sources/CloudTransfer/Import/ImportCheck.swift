import CloudModel
import CloudSQL
import CloudStore

/// Checks the imported lines for consistency as a whole, after each line passed by itself.
///
/// A failure is final: the check runs after the last line.
struct ImportCheck {
    let manifest: ExportManifest
    let catalog: Catalog

    /// A fault found by the check.
    struct Failure: Error {
        let reason: String
    }

    /// - Throws: ``Failure``.
    func run(_ db: SQLConnection) throws {
        try counts(db)
        try shares(db)
        try feeds(db)
    }

    private func counts(_ db: SQLConnection) throws {
        for (list, count) in try ExportSummary.counts(db).sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where count != manifest.count(list) {
            throw Failure(reason: "the export says it has \(manifest.count(list)) \(list.noun), and \(count) came")
        }
    }

    // MARK: Shares

    private func shares(_ db: SQLConnection) throws {
        try refuse(
            "SELECT name FROM records WHERE share IS NOT NULL AND share NOT IN (SELECT id FROM shares)", db
        ) { "record '\($0)' names a share that is not among the shares" }
        guard let type = catalog.types[RecordType.share] else { return }
        try refuse(
            """
            SELECT r.name FROM \(SchemaTables.table(type)) v /*!CROSS*/ JOIN records r ON r.id = v.id
            WHERE NOT EXISTS (SELECT 1 FROM shares WHERE record = v.id)
            """, db
        ) { "record '\($0)' is of type \(type.name) and not among the shares" }
        try refuse(
            """
            SELECT r.name FROM shares s
            /*!CROSS*/ JOIN records r ON r.id = s.record AND r.record_type IS DISTINCT FROM \(type.id)
            """, db
        ) { "record '\($0)' of a share is not of type \(type.name)" }
        for type in catalog.types.values {
            try refuse(
                """
                SELECT r.name FROM \(SchemaTables.table(type)) v /*!CROSS*/ JOIN records r ON r.id = v.id
                WHERE v.share IS NOT NULL AND NOT EXISTS (
                    SELECT 1 FROM shares s /*!CROSS*/ JOIN records n ON n.id = s.record
                    WHERE s.root = v.id AND n.name = v.share
                )
                """, db
            ) { "record '\($0)' says it is shared, and no share has it as its root" }
        }
    }

    // MARK: Change feeds

    /// Checks the change feeds: positions are unique, and none lies beyond its zone's position, since readers page by
    /// position.
    private func feeds(_ db: SQLConnection) throws {
        for (key, position, what) in [
            ("zone", "feed", "recordChangeTag"), ("share", "share_position", "sharePosition"),
        ] {
            try refuse(
                """
                SELECT max(name) FROM records WHERE \(position) IS NOT NULL
                GROUP BY \(key), \(position) HAVING count(*) > 1
                """, db
            ) { "record '\($0)' has the \(what) of another in the same \(key)" }
        }
        try refuse(
            """
            SELECT name FROM zones WHERE deleted = 0
                AND position < (SELECT max(feed) FROM records WHERE zone = zones.id AND feed IS NOT NULL)
            """, db
        ) { "position of zone '\($0)' is before that of a change in it" }
    }

    /// - Parameter query: selects the names of offending records.
    private func refuse(_ query: String, _ db: SQLConnection, reason: (String) -> String) throws {
        guard let name = try db.first("\(query) LIMIT 1", read: { $0.text(0) }) else { return }
        throw Failure(reason: reason(Naming.shown(name)))
    }
}
