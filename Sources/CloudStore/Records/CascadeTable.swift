import CloudModel
import CloudSQL

/// Deletions that have left what hangs on their records by DELETE_SELF for later: a row for each record that is gone and
/// that others may still hang on.
enum CascadeTable {
    /// As the migration "19 deletions" makes it.
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

    static func first(_ db: SQLConnection) throws -> Row? {
        try db.first(
            "SELECT id, zone, target, position, share, spares_held, passed FROM cascades ORDER BY id LIMIT 1"
        ) { row in
            Row(
                id: row.integer(0), zone: row.integer(1), target: row.text(2),
                scope: CascadeScope(
                    position: row.integer(3), share: row.optionalInteger(4), sparesHeld: row.integer(5) != 0),
                passed: row.integer(6))
        }
    }

    /// The records right under a cascade's target that it is to delete and has not passed, in the order of their ids.
    ///
    /// - Parameter exempt: the type of records that are never deleted along.
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

    static func pass(_ cascade: Row, to record: Int64, _ db: SQLConnection) throws {
        try db.run("UPDATE cascades SET passed = ? WHERE id = ?", .integer(record), .integer(cascade.id))
    }

    static func end(_ cascade: Row, _ db: SQLConnection) throws {
        try db.run("DELETE FROM cascades WHERE id = ?", .integer(cascade.id))
    }

    /// The highest id; 0 when there is none.
    static func last(_ db: SQLConnection) throws -> Int64 {
        try db.first("SELECT COALESCE(max(id), 0) FROM cascades") { $0.integer(0) } ?? 0
    }

    /// Takes back what was noted of a target since the highest id was `last`.
    static func remove(_ target: String, zone: Int64, since last: Int64, _ db: SQLConnection) throws {
        try db.run(
            "DELETE FROM cascades WHERE zone = ? AND target = ? AND id > ?", .integer(zone), .text(target),
            .integer(last))
    }

    /// Ends those of a zone that is deleted with all that is in it.
    static func removeAll(zone: Int64, _ db: SQLConnection) throws {
        try db.run("DELETE FROM cascades WHERE zone = ?", .integer(zone))
    }

    // MARK: Holders

    /// Records on the way up from a holder that are looked at, at most.
    private static let mostAbove = 1_000

    /// A record that refers to one being deleted by VALIDATE or as its parent, and does not go along.
    struct Holder {
        let name: String
        let share: Int64?
        let type: Int64
        let kind: ReferenceKind
    }

    /// The first holder of a record whose own cascade is noted that is not deleted by any cascade; nil when there is none.
    ///
    /// - Parameter most: holders that do not hang on the record directly and are looked at. With more the next one counts
    ///   as staying.
    static func stayingHolder(
        of name: String, zone: Int64, share: Int64?, most: Int, _ db: SQLConnection
    ) throws -> Holder? {
        var found: [(id: Int64, holder: Holder)] = []
        // Those that hang on it directly are most.
        try db.each(
            """
            SELECT r.id, r.name, r.share, r.record_type, l.kind
            FROM record_references l CROSS JOIN records r ON r.id = l.source
            WHERE l.zone = ?1 AND l.target = ?2 AND l.kind IN (2, 3) AND (
                (?3 <> 0 AND COALESCE(r.share, 0) <> ?3) OR NOT EXISTS (
                    SELECT 1 FROM record_references d
                    WHERE d.zone = ?1 AND d.target = ?2 AND d.kind = 1 AND d.source = l.source))
            LIMIT ?4
            """,
            [.integer(zone), .text(name), .integer(share ?? 0), .integer(Int64(min(most, 1 << 32) + 1))]
        ) { row in
            guard let kind = ReferenceKind(rawValue: row.integer(4)) else { return true }
            found.append(
                (
                    row.integer(0),
                    Holder(name: row.text(1), share: row.optionalInteger(2), type: row.integer(3), kind: kind)
                ))
            return true
        }
        if found.count > most { return found.last?.holder }
        return try found.first { try !isDoomed($0.id, zone: zone, db) }?.holder
    }

    /// Returns true if a record hangs, however deep, on a target of a cascade that will come to it.
    private static func isDoomed(_ record: Int64, zone: Int64, _ db: SQLConnection) throws -> Bool {
        try db.exists(
            """
            SELECT 1 FROM (
                WITH RECURSIVE above (source, tag, target) AS (
                    SELECT r.id, r.tag, l.target FROM records r
                    CROSS JOIN record_references l ON l.source = r.id AND l.kind = 1 WHERE r.id = ?1
                    UNION
                    SELECT r.id, r.tag, l.target FROM above a
                    CROSS JOIN records r ON r.zone = ?2 AND r.name = a.target AND r.record_type IS NOT NULL
                    CROSS JOIN record_references l ON l.source = r.id AND l.kind = 1
                )
                SELECT source, tag, target FROM above LIMIT \(mostAbove)
            ) a CROSS JOIN cascades c ON c.zone = ?2 AND c.target = a.target
            WHERE a.tag <= c.position AND a.source > c.passed AND c.share IS NULL
            """, .integer(record), .integer(zone))
    }
}

/// The records that a cascade deletes of those that hang on its target.
struct CascadeScope {
    /// That of the deletion: what was changed after it stays.
    let position: Int64
    /// The share whose member deletes; 0 for a share of the whole zone, nil for the owner.
    let share: Int64?
    /// True if a record stays that others hold.
    let sparesHeld: Bool
}
