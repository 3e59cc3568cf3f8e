import CloudModel
import CloudSQL

/// A lookup of epochs by position: the file itself, or a list of its epochs in memory.
protocol EpochSource {
    /// The epoch of a position; nil for positions from before epochs existed.
    func epoch(of position: Int64) throws -> Epoch?
}

extension SQLConnection: EpochSource {
    func epoch(of position: Int64) throws -> Epoch? { try EpochTable.epoch(of: position, self) }
}

/// The epochs of a file, and the time up to which each earlier history was kept.
enum EpochTable {
    static let sql = """
        -- When the last position was given out; unknown until a version that notes it has written.
        ALTER TABLE store ADD COLUMN changed INTEGER;

        -- One row for each opening of the file that wrote. Positions before the first row are of epoch 0.
        CREATE TABLE epochs (
            first INTEGER PRIMARY KEY,
            id INTEGER NOT NULL UNIQUE,
            began INTEGER NOT NULL,
            kept INTEGER
        );
        CREATE INDEX epochs_began ON epochs (began);
        """

    private static let columns = "id, first, began, kept"

    static func all(_ db: SQLConnection) throws -> [Epoch] {
        var epochs: [Epoch] = []
        try db.each("SELECT \(columns) FROM epochs ORDER BY first", []) {
            epochs.append(read($0))
            return true
        }
        return epochs
    }

    /// Adds an epoch; replaces an epoch that never gave out a position.
    static func insert(_ epoch: Epoch, _ db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO epochs (\(columns)) VALUES (?, ?, ?, ?)
            ON CONFLICT (first) DO UPDATE SET id = excluded.id, began = excluded.began, kept = excluded.kept
            """, .integer(epoch.id), .integer(epoch.first),
            .timestamp(epoch.began), .timestamp(optional: epoch.kept))
    }

    /// The epoch of a position; nil for epoch 0.
    static func epoch(of position: Int64, _ db: SQLConnection) throws -> Epoch? {
        try db.first(
            "SELECT \(columns) FROM epochs WHERE first <= ? ORDER BY first DESC LIMIT 1", .integer(position), read: read
        )
    }

    /// The time of the last change; nil if unknown.
    static func changed(_ db: SQLConnection) throws -> Timestamp? {
        try db.first("SELECT changed FROM store") { $0.optionalTimestamp(0) } ?? nil
    }

    /// Tells whether a position of an epoch is in the file's history, or lost.
    enum Standing: Hashable {
        case kept
        /// The file was replaced by an older copy, whose last change was at `restoredTo`; nil if unknown.
        case lost(restoredTo: Timestamp?)
    }

    /// - Parameter began: the start of the epoch, for finding the place of an unknown epoch.
    static func standing(
        of position: Int64, epoch id: Int64, began: Timestamp, _ db: SQLConnection
    ) throws -> Standing {
        let known: (first: Int64?, reached: Int64, kept: Timestamp?)? = try db.first(
            """
            SELECT CASE ?1 WHEN 0 THEN 0 ELSE e.first END, coalesce(n.first - 1, s.position),
                CASE WHEN n.first IS NULL THEN s.changed ELSE n.kept END
            FROM store s LEFT JOIN epochs e ON e.id = ?1 LEFT JOIN epochs n ON n.first =
                (SELECT min(first) FROM epochs WHERE first > CASE ?1 WHEN 0 THEN 0 ELSE e.first END)
            """, .integer(id)
        ) { ($0.isNull(0) ? nil : $0.integer(0), $0.integer(1), $0.optionalTimestamp(2)) }
        if let known, known.first != nil {
            return position <= known.reached ? .kept : .lost(restoredTo: known.kept)
        }
        // The first later epoch began after the restore too.
        let next = try db.first(
            "SELECT \(columns) FROM epochs WHERE began > ? ORDER BY began, first LIMIT 1", .timestamp(began),
            read: read)
        return .lost(restoredTo: next == nil ? known?.kept : next?.kept)
    }

    private static func read(_ row: SQLRow) -> Epoch {
        Epoch(
            id: row.integer(0), first: row.integer(1), began: row.timestamp(2), kept: row.optionalTimestamp(3))
    }
}
