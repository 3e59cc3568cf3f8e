/// The tables of sharing: the migration "3 sharing".
enum SharingSchema {
    static let sql = """
        -- The hierarchy share a record is visible through: the share record itself, its root, and all that hangs
        -- under that. share_position is where the share's own feed tells of the record, or of its deletion.
        -- A zone-wide share leaves no mark on records: all of the zone is in it.
        ALTER TABLE records ADD COLUMN share INTEGER;
        ALTER TABLE records ADD COLUMN share_position INTEGER;
        CREATE INDEX records_share ON records (share, share_position) WHERE share IS NOT NULL;

        -- The handle of the zone's own share, kept when the share ends.
        ALTER TABLE zones ADD COLUMN short_guid TEXT;

        -- record is the share record, root what is shared; none for a whole zone. position is that of the last
        -- change members could see. state is everything the record's fields do not say.
        CREATE TABLE shares (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            zone INTEGER NOT NULL REFERENCES zones (id),
            record INTEGER NOT NULL UNIQUE REFERENCES records (id),
            root INTEGER UNIQUE REFERENCES records (id),
            short_guid TEXT NOT NULL UNIQUE,
            position INTEGER NOT NULL,
            state BLOB NOT NULL
        );
        CREATE INDEX shares_zone ON shares (zone);

        CREATE TABLE share_links (
            token TEXT PRIMARY KEY,
            share INTEGER NOT NULL REFERENCES shares (id)
        ) WITHOUT ROWID;
        CREATE INDEX share_links_share ON share_links (share);

        -- Who sees what: one row for each share a user has accepted and may read. since is when.
        CREATE TABLE members (
            user TEXT NOT NULL,
            zone INTEGER NOT NULL,
            share INTEGER NOT NULL REFERENCES shares (id),
            is_zone_wide INTEGER NOT NULL,
            may_write INTEGER NOT NULL,
            is_administrator INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (user, zone, share)
        ) WITHOUT ROWID;
        CREATE INDEX members_share ON members (share);

        -- The zones of a user's shared database, those they had included. joined is since when without a break,
        -- position that of the last change to what they see of the zone by coming and going.
        CREATE TABLE shared_zones (
            user TEXT NOT NULL,
            owner TEXT NOT NULL,
            name TEXT NOT NULL,
            zone INTEGER NOT NULL,
            joined INTEGER NOT NULL,
            position INTEGER NOT NULL,
            deleted INTEGER NOT NULL,
            PRIMARY KEY (user, owner, name)
        ) WITHOUT ROWID;
        CREATE INDEX shared_zones_zone ON shared_zones (zone);

        -- Records that are alive, but no longer in the share.
        CREATE TABLE departures (
            share INTEGER NOT NULL REFERENCES shares (id),
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            PRIMARY KEY (share, name)
        ) WITHOUT ROWID;
        CREATE INDEX departures_position ON departures (share, position);

        -- What one user lost with a share, while they still see something else of the zone.
        CREATE TABLE losses (
            user TEXT NOT NULL,
            zone INTEGER NOT NULL,
            position INTEGER NOT NULL,
            number INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (user, zone, position, number)
        ) WITHOUT ROWID;
        """

    static let pages = """
        -- What is visible through a share in the order in which it was made, which is that of the ids.
        CREATE INDEX records_made ON records (share) WHERE share IS NOT NULL AND record_type IS NOT NULL;

        -- Short GUIDs and one-time links of shares that were stopped: their pages say so.
        CREATE TABLE stopped_shares (handle TEXT PRIMARY KEY) WITHOUT ROWID;
        """
}
