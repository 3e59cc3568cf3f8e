import CloudModel
import CloudSQL

/// Deferred cascades: a row for each deleted record that may still have DELETE_SELF dependents.
enum CascadeTable {
    /// The migration "19 deletions".
    static let sql = """
        -- The records that hang on target and were last changed at position or before are to be deleted, those with ids
        -- up to passed have been looked at. share bounds them to what a member of it may delete, 0 to all of the zone.
        -- Where spares_held is 1, those that others hold by VALIDATE or as their parent stay.
        CREATE TABLE cascades (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            zone INTEGER NOT NULL,
            target TEXT NOT NULL,
            position INTEGER NOT NULL,
            share INTEGER,
            spares_held INTEGER NOT NULL,
            passed INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX cascades_target ON cascades (zone, target);
        """

    struct Row {
        let id: Int64
        let zone: Int64
        let target: String
        let scope: CascadeScope
        let passed: Int64
    }

    static func add(_ targets: [String], zone: Int64, _ scope: CascadeScope, _ transaction: WriteTransaction) throws {
        for target in targets {
            try transaction.db.run(
                "INSERT INTO cascades (zone, target, position, share, spares_held) VALUES (?, ?, ?, ?, ?)",
                .integer(zone), .text(target), .integer(scope.position), .integer(optional: scope.share),
                .integer(scope.sparesHeld ? 1 : 0))
        }
        if !targets.isEmpty { transaction.wantWork() }
    }

    /// - Parameter stuck: ids of cascades to skip.
    static func first(except stuck: Set<Int64> = [], _ db: SQLConnection) throws -> Row? {
        try db.first(
            """
            SELECT id, zone, target, position, share, spares_held, passed FROM cascades
            WHERE id NOT IN (SELECT CAST(value AS BIGINT) FROM json_each(?)) ORDER BY id LIMIT 1
            """, .list(stuck)
        ) { row in
            Row(
                id: row.integer(0), zone: row.integer(1), target: row.text(2),
                scope: CascadeScope(
                    position: row.integer(3), share: row.optionalInteger(4), sparesHeld: row.integer(5) != 0),
                passed: row.integer(6))
        }
    }

    /// The next dependents of a cascade's target to delete, by ascending id.
    ///
    /// - Parameter exempt: the record type that no cascade deletes.
    static func next(
        of cascade: Row, exempt: Int64?, limit: Int, _ db: SQLConnection
    ) throws -> [(id: Int64, name: String)] {
        try db.all(
            """
            SELECT r.id, r.name FROM record_references l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ?1 AND l.target = ?2 AND l.kind = 1 AND l.source > ?3 AND r.tag <= ?4
                AND r.record_type <> ?5 AND (?6 = 0 OR r.share = ?6)
            ORDER BY l.source LIMIT ?7
            """,
            .integer(cascade.zone), .text(cascade.target), .integer(cascade.passed), .integer(cascade.scope.position),
            .integer(exempt ?? 0), .integer(cascade.scope.share ?? 0), .integer(Int64(limit))
        ) { ($0.integer(0), $0.text(1)) }
    }

    /// True if any deferred cascade is left.
    static func isLeft(_ db: SQLConnection) throws -> Bool { try db.exists("SELECT 1 FROM cascades LIMIT 1") }

    static func pass(_ cascade: Row, to record: Int64, _ db: SQLConnection) throws {
        try db.run("UPDATE cascades SET passed = ? WHERE id = ?", .integer(record), .integer(cascade.id))
    }

    static func end(_ cascade: Row, _ db: SQLConnection) throws {
        try db.run("DELETE FROM cascades WHERE id = ?", .integer(cascade.id))
    }

    /// Ends the cascades of a deleted zone.
    static func removeAll(zone: Int64, _ db: SQLConnection) throws {
        try db.run("DELETE FROM cascades WHERE zone = ?", .integer(zone))
    }
}

/// Limits which dependents a cascade deletes.
struct CascadeScope {
    /// The position of the deletion: records changed after it stay.
    let position: Int64
    /// The share of the deleting member; 0 for a share of the whole zone, nil for the owner.
    let share: Int64?
    /// True if records with other holders stay.
    let sparesHeld: Bool
}
