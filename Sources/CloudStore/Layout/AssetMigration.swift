extension Migrations {
    static let assets = """
        -- What is stored once however often it is uploaded. The key is the checksum; the file's name is never used again.
        CREATE TABLE assets (
            id INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            size INTEGER NOT NULL,
            crc32 INTEGER NOT NULL,
            content_type TEXT NOT NULL,
            width INTEGER,
            height INTEGER,
            file TEXT NOT NULL UNIQUE
        );

        -- Receipts: who may put an asset into a record, in whose database, until when (milliseconds since 1970-01-01Z).
        CREATE TABLE asset_uploads (
            id TEXT PRIMARY KEY,
            receipt TEXT NOT NULL UNIQUE,
            asset INTEGER NOT NULL REFERENCES assets (id),
            owner TEXT NOT NULL,
            user TEXT NOT NULL,
            expires INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX asset_uploads_asset ON asset_uploads (asset);
        CREATE INDEX asset_uploads_expires ON asset_uploads (expires);

        CREATE TABLE record_assets (
            record INTEGER NOT NULL REFERENCES records (id),
            asset INTEGER NOT NULL REFERENCES assets (id),
            PRIMARY KEY (record, asset)
        ) WITHOUT ROWID;
        CREATE INDEX record_assets_asset ON record_assets (asset);
        """
}
