package import CloudEngine
import CloudModel
import Foundation
import CloudSQL

/// Migrations of a records database, oldest first.
package enum Migrations {
    package static let all: [Migration] = [
        Migration("1 records") { db in
            try db.script(records)
            try StoreIdentity.insert(db)
        },
        Migration("2 assets", assets),
        Migration("3 sharing", SharingSchema.sql),
        Migration("4 links", PageSettingsTable.sql),
        Migration("5 subscriptions", SubscriptionSchema.sql),
        Migration("6 key-value", KeyValueSchema.sql),
        Migration("7 schema") { db in
            try db.script(schema)
            try RoleUpgrade.run(db)
        },
        Migration("8 words and places") { db in
            try db.script(TextSearchSchema.sql)
            try db.script(db.dialect.words.layout)
            try db.script(LocationSchema.sql)
            try db.script(db.dialect.locations.layout)
            try RecordUpgrade.run(db)
        },
        Migration("9 epochs", EpochTable.sql),
        Migration("10 subscription pauses", SubscriptionPause.sql),
        Migration("11 webhook queues", PushedOut.sql),
        Migration("12 unclaimed uploads", UnclaimedUploads.sql),
        Migration("13 pages", SharingSchema.pages),
        Migration("14 indexes") { db in
            try db.script(StoredIndexes.sql)
            try db.dialect.words.configure(db)
            try IndexUpgrade.run(db)
        },
        Migration("15 quotas", UsageSchema.sql),
        Migration("16 long values", longValues),
        Migration("17 names", checksReferences: false, NameMigration.run),
        Migration("18 areas") { db in try db.script(db.dialect.locations.areas) },
        Migration("19 deletions", CascadeTable.sql + DroppedZones.sql),
        Migration("20 uploads of addresses", UnclaimedUploads.addresses),
        Migration("21 crowd messages", CrowdMessages.sql),
        Migration("22 downloads", PageDownloads.sql),
        Migration("23 asset facts", FactsTable.sql + PageSettingsTable.places),
        Migration("24 page languages", PageSettingsTable.languages),
        Migration("25 page layouts", PageLayout.sql),
    ]

    /// Runs outstanding migrations.
    ///
    /// - Throws: ``NewerDatabase`` when a later program version wrote the database.
    package static func run(on connection: any EngineConnection, name: String) throws {
        try connection.migrate(all, name: name)
        try connection.write(TextSearchUpgrade.run)
    }

    /// Indexes over long values, for engines with a limit on entry size. The primary key of elements is dropped
    /// too; writers insert no duplicates.
    private static func longValues(_ db: SQLConnection) throws {
        guard let prefix = db.dialect.spelling.indexPrefix else { return }
        let bucket = "bucket_field, \(prefix.of("bucket_value"))"
        try db.script(
            """
            ALTER TABLE elements DROP CONSTRAINT IF EXISTS elements_pkey;
            CREATE INDEX elements_value ON elements (field, zone, \(prefix.of("value")), record);
            DROP INDEX subscriptions_public;
            DROP INDEX subscriptions_private;
            CREATE INDEX subscriptions_public ON subscriptions (record_type, \(bucket))
                WHERE kind = 1 AND scope = 2 AND is_paused = 0;
            CREATE INDEX subscriptions_private ON subscriptions ("user", record_type, \(bucket), zone)
                WHERE kind = 1 AND scope = 1 AND is_paused = 0;
            """)
    }

    private static let records = Layout(
        sqlite: """
            -- One row. A new incarnation makes every sync token given out before it a stranger's.
            CREATE TABLE store (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                position INTEGER NOT NULL,
                catalog_version INTEGER NOT NULL,
                incarnation INTEGER NOT NULL,
                secret BLOB NOT NULL
            );

            CREATE TABLE zones (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                owner TEXT NOT NULL,
                name TEXT NOT NULL,
                position INTEGER NOT NULL,
                deleted INTEGER NOT NULL DEFAULT 0
            );
            CREATE UNIQUE INDEX zones_name ON zones (owner, name, deleted);
            CREATE INDEX zones_position ON zones (owner, position);

            CREATE TABLE record_types (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE,
                grants TEXT NOT NULL,
                system_indexes TEXT NOT NULL DEFAULT ''
            );
            CREATE TABLE fields (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                record_type INTEGER NOT NULL REFERENCES record_types (id),
                name TEXT NOT NULL,
                kind TEXT NOT NULL,
                is_list INTEGER NOT NULL,
                is_encrypted INTEGER NOT NULL,
                indexes TEXT NOT NULL,
                UNIQUE (record_type, name)
            );

            -- body is what a response shows. feed is the change position in zones that have a change feed.
            -- A row without record_type is a tombstone.
            CREATE TABLE records (
                id INTEGER PRIMARY KEY,
                zone INTEGER NOT NULL REFERENCES zones (id),
                name TEXT NOT NULL,
                record_type INTEGER,
                tag INTEGER NOT NULL,
                feed INTEGER,
                creator TEXT,
                links INTEGER NOT NULL DEFAULT 0,
                short_guid TEXT,
                body BLOB NOT NULL
            );
            CREATE UNIQUE INDEX records_name ON records (zone, name);
            CREATE INDEX records_feed ON records (zone, feed) WHERE feed IS NOT NULL;
            CREATE UNIQUE INDEX records_short_guid ON records (short_guid) WHERE short_guid IS NOT NULL;

            -- The elements of list fields, for the list comparators.
            CREATE TABLE elements (
                field INTEGER NOT NULL,
                zone INTEGER NOT NULL,
                value NOT NULL,
                record INTEGER NOT NULL REFERENCES records (id),
                PRIMARY KEY (field, zone, value, record)
            ) WITHOUT ROWID;
            CREATE INDEX elements_record ON elements (record);

            -- References that a deletion of their target must know of: DELETE_SELF (1), VALIDATE (2), parent (3).
            CREATE TABLE record_links (
                zone INTEGER NOT NULL,
                target TEXT NOT NULL,
                kind INTEGER NOT NULL,
                source INTEGER NOT NULL REFERENCES records (id),
                PRIMARY KEY (zone, target, kind, source)
            ) WITHOUT ROWID;
            CREATE INDEX record_links_source ON record_links (source);

            CREATE TABLE usage (
                owner TEXT PRIMARY KEY,
                bytes INTEGER NOT NULL,
                records INTEGER NOT NULL
            ) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE store (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY CHECK (id = 1),
                position BIGINT NOT NULL,
                catalog_version BIGINT NOT NULL,
                incarnation BIGINT NOT NULL,
                secret BYTEA NOT NULL
            );
            CREATE TABLE zones (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                owner TEXT COLLATE "C" NOT NULL,
                name TEXT COLLATE "C" NOT NULL,
                position BIGINT NOT NULL,
                deleted BIGINT NOT NULL DEFAULT 0
            );
            CREATE UNIQUE INDEX zones_name ON zones (owner, name, deleted);
            CREATE INDEX zones_position ON zones (owner, position);
            CREATE TABLE record_types (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                name TEXT COLLATE "C" NOT NULL UNIQUE,
                grants TEXT COLLATE "C" NOT NULL,
                system_indexes TEXT COLLATE "C" NOT NULL DEFAULT ''
            );
            CREATE TABLE fields (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                record_type BIGINT NOT NULL REFERENCES record_types (id),
                name TEXT COLLATE "C" NOT NULL,
                kind TEXT COLLATE "C" NOT NULL,
                is_list BIGINT NOT NULL,
                is_encrypted BIGINT NOT NULL,
                indexes TEXT COLLATE "C" NOT NULL,
                UNIQUE (record_type, name)
            );
            CREATE TABLE records (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                zone BIGINT NOT NULL REFERENCES zones (id),
                name TEXT COLLATE "C" NOT NULL,
                record_type BIGINT,
                tag BIGINT NOT NULL,
                feed BIGINT,
                creator TEXT COLLATE "C",
                links BIGINT NOT NULL DEFAULT 0,
                short_guid TEXT COLLATE "C",
                body BYTEA NOT NULL
            );
            CREATE UNIQUE INDEX records_name ON records (zone, name);
            CREATE INDEX records_feed ON records (zone, feed) WHERE feed IS NOT NULL;
            CREATE UNIQUE INDEX records_short_guid ON records (short_guid) WHERE short_guid IS NOT NULL;
            CREATE TABLE elements (
                field BIGINT NOT NULL,
                zone BIGINT NOT NULL,
                value BYTEA NOT NULL,
                record BIGINT NOT NULL REFERENCES records (id),
                PRIMARY KEY (field, zone, value, record)
            );
            CREATE INDEX elements_record ON elements (record);
            CREATE TABLE record_links (
                zone BIGINT NOT NULL,
                target TEXT COLLATE "C" NOT NULL,
                kind BIGINT NOT NULL,
                source BIGINT NOT NULL REFERENCES records (id),
                PRIMARY KEY (zone, target, kind, source)
            );
            CREATE INDEX record_links_source ON record_links (source);
            CREATE TABLE usage (
                owner TEXT COLLATE "C" PRIMARY KEY,
                bytes BIGINT NOT NULL,
                records BIGINT NOT NULL
            );
            """)
}
