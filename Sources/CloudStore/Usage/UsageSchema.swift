/// Adds the bytes of assets and the usage of all owners together: the migration "15 quotas".
///
/// Triggers count, so that requests need no further statements.
enum UsageSchema {
    static let sql = """
        -- assets: bytes of the assets that the owner's records hold, once for each record that holds one.
        ALTER TABLE usage ADD COLUMN assets INTEGER NOT NULL DEFAULT 0;
        INSERT INTO usage (owner, bytes, records, assets)
            SELECT z.owner, 0, 0, CAST(SUM(a.size) AS BIGINT) FROM record_assets ra
            JOIN records r ON r.id = ra.record JOIN zones z ON z.id = r.zone JOIN assets a ON a.id = ra.asset
            WHERE a.size > 0 GROUP BY z.owner
            ON CONFLICT (owner) DO UPDATE SET assets = excluded.assets;
        CREATE TRIGGER asset_counted AFTER INSERT ON record_assets BEGIN
            INSERT OR IGNORE INTO usage (owner, bytes, records)
                SELECT z.owner, 0, 0 FROM records r JOIN zones z ON z.id = r.zone WHERE r.id = new.record;
            UPDATE usage SET assets = assets + (SELECT size FROM assets WHERE id = new.asset)
                WHERE owner = (SELECT z.owner FROM records r JOIN zones z ON z.id = r.zone WHERE r.id = new.record);
        END;
        CREATE TRIGGER asset_discounted AFTER DELETE ON record_assets BEGIN
            UPDATE usage SET assets = assets - (SELECT size FROM assets WHERE id = old.asset)
                WHERE owner = (SELECT z.owner FROM records r JOIN zones z ON z.id = r.zone WHERE r.id = old.record);
        END;

        -- One row: the sums of all owners.
        CREATE TABLE usage_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes INTEGER NOT NULL,
            records INTEGER NOT NULL,
            assets INTEGER NOT NULL
        );
        INSERT INTO usage_total SELECT 1, CAST(COALESCE(SUM(bytes), 0) AS BIGINT),
            CAST(COALESCE(SUM(records), 0) AS BIGINT), CAST(COALESCE(SUM(assets), 0) AS BIGINT) FROM usage;
        CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
            UPDATE usage_total SET bytes = bytes + new.bytes, records = records + new.records,
                assets = assets + new.assets;
        END;
        CREATE TRIGGER usage_changed AFTER UPDATE ON usage BEGIN
            UPDATE usage_total SET bytes = bytes + new.bytes - old.bytes, records = records + new.records - old.records,
                assets = assets + new.assets - old.assets;
        END;
        CREATE TRIGGER usage_removed AFTER DELETE ON usage BEGIN
            UPDATE usage_total SET bytes = bytes - old.bytes, records = records - old.records,
                assets = assets - old.assets;
        END;
        """
}
