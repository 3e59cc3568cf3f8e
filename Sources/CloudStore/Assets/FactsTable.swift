import CloudAssets
import CloudMedia
import CloudModel
import CloudSQL

/// The facts of assets that records hold: the migration "23 asset facts".
///
/// A trigger adds a row of version 0 when a record first holds an asset. Rows of an earlier version than the program's
/// readers are the work that is left, so it goes on after a restart and with a newer program.
enum FactsTable {
    static let sql = Layout(
        sqlite: """
            -- version: of the readers of media files; 0 for a file that was not read yet. moment, clock: milliseconds.
            -- zone: minutes east of UTC; with a moment but no zone, the clock is UTC.
            CREATE TABLE asset_facts (
                asset INTEGER PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
                version INTEGER NOT NULL,
                kind TEXT,
                width INTEGER,
                height INTEGER,
                moment INTEGER,
                clock INTEGER,
                zone INTEGER,
                source TEXT,
                duration INTEGER,
                content_identifier TEXT,
                motion INTEGER,
                motion_length INTEGER,
                hdr TEXT,
                make TEXT,
                model TEXT,
                lens TEXT,
                exposure REAL,
                aperture REAL,
                sensitivity INTEGER,
                focal_length REAL,
                latitude REAL,
                longitude REAL,
                removal BLOB,
                is_certain INTEGER NOT NULL DEFAULT 1,
                placeless_crc32 INTEGER,
                fault TEXT
            );
            CREATE INDEX asset_facts_version ON asset_facts (version);
            INSERT INTO asset_facts (asset, version) SELECT DISTINCT asset, 0 FROM record_assets;
            CREATE TRIGGER asset_facts_wanted AFTER INSERT ON record_assets
                WHEN NOT EXISTS (SELECT 1 FROM asset_facts WHERE asset = new.asset) BEGIN
                INSERT INTO asset_facts (asset, version) VALUES (new.asset, 0);
            END;
            """,
        postgres: """
            CREATE TABLE asset_facts (
                asset BIGINT PRIMARY KEY REFERENCES assets (id) ON DELETE CASCADE,
                version BIGINT NOT NULL,
                kind TEXT COLLATE "C",
                width BIGINT,
                height BIGINT,
                moment BIGINT,
                clock BIGINT,
                zone BIGINT,
                source TEXT COLLATE "C",
                duration BIGINT,
                content_identifier TEXT COLLATE "C",
                motion BIGINT,
                motion_length BIGINT,
                hdr TEXT COLLATE "C",
                make TEXT COLLATE "C",
                model TEXT COLLATE "C",
                lens TEXT COLLATE "C",
                exposure DOUBLE PRECISION,
                aperture DOUBLE PRECISION,
                sensitivity BIGINT,
                focal_length DOUBLE PRECISION,
                latitude DOUBLE PRECISION,
                longitude DOUBLE PRECISION,
                removal BYTEA,
                is_certain BIGINT NOT NULL DEFAULT 1,
                placeless_crc32 BIGINT,
                fault TEXT COLLATE "C"
            );
            CREATE INDEX asset_facts_version ON asset_facts (version);
            INSERT INTO asset_facts (asset, version) SELECT DISTINCT asset, 0 FROM record_assets;
            CREATE FUNCTION asset_facts_wanted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO asset_facts (asset, version) VALUES (new.asset, 0) ON CONFLICT DO NOTHING;
                RETURN NULL;
            END $$;
            CREATE TRIGGER asset_facts_wanted AFTER INSERT ON record_assets
                FOR EACH ROW EXECUTE FUNCTION asset_facts_wanted();
            """)

    /// The columns of ``facts(_:from:)``, with `f` as the table.
    static let columns = """
        f.version, f.kind, f.width, f.height, f.moment, f.clock, f.zone, f.source, f.duration, f.content_identifier, \
        f.motion, f.motion_length, f.hdr, f.make, f.model, f.lens, f.exposure, f.aperture, f.sensitivity, \
        f.focal_length, f.latitude, f.longitude, f.removal, f.is_certain, f.placeless_crc32, f.fault
        """

    private static let storing = """
        INSERT INTO asset_facts (asset, version, kind, width, height, moment, clock, zone, source, duration,
            content_identifier, motion, motion_length, hdr, make, model, lens, exposure, aperture, sensitivity,
            focal_length, latitude, longitude, removal, is_certain, placeless_crc32, fault)
        SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
            ?23, ?24, ?25, ?26, ?27 FROM assets WHERE id = ?1
        """

    /// Stores the facts of an asset, unless it is gone.
    static func store(_ facts: FileFacts, of asset: Int64, _ db: SQLConnection) throws {
        try db.run("DELETE FROM asset_facts WHERE asset = ?", .integer(asset))
        try db.run(storing, [.integer(asset), .integer(version)] + values(facts))
    }

    /// Has the facts of an asset read again, after other contents took the place of lost ones.
    static func forget(_ asset: Int64, _ db: SQLConnection) throws {
        try db.run("UPDATE asset_facts SET version = 0 WHERE asset = ?", .integer(asset))
    }

    /// Assets whose facts are to be read, never read ones first.
    static func waiting(limit: Int, _ db: SQLConnection) throws -> [AssetTable.Row] {
        var rows: [AssetTable.Row] = []
        try db.each(
            """
            SELECT \(AssetTable.columns) FROM asset_facts f /*!CROSS*/ JOIN assets a ON a.id = f.asset
            WHERE f.version < ? ORDER BY f.version LIMIT ?
            """, [.integer(version), .integer(Int64(limit))]
        ) {
            if let row = AssetTable.row($0) { rows.append(row) }
            return true
        }
        return rows
    }

    /// The version of stored facts: that of the readers.
    static let version = Int64(MediaFacts.version)
}
