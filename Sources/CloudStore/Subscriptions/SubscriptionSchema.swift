/// The tables of subscriptions, devices and notifications, as made by the migration "5 subscriptions".
enum SubscriptionSchema {
    static let sql = """
        -- scope: private (1), public (2), shared (3). kind: query (1), zone (2), database (3). zone is 0 where all
        -- zones are meant, record_type 0 where no query is. A query with an EQUALS filter stands under that field and
        -- operand, any other under field 0. body is the dictionary as answered, query and info are parts of it.
        CREATE TABLE subscriptions (
            id INTEGER PRIMARY KEY,
            user TEXT NOT NULL,
            scope INTEGER NOT NULL,
            name TEXT NOT NULL,
            kind INTEGER NOT NULL,
            zone INTEGER NOT NULL,
            record_type INTEGER NOT NULL,
            fires_on INTEGER NOT NULL,
            fires_once INTEGER NOT NULL,
            bucket_field INTEGER NOT NULL,
            bucket_value,
            query BLOB,
            info BLOB,
            body BLOB NOT NULL,
            UNIQUE (user, scope, name)
        );
        -- How a change finds the subscriptions that may be about it.
        CREATE INDEX subscriptions_public ON subscriptions (record_type, bucket_field, bucket_value)
            WHERE kind = 1 AND scope = 2;
        CREATE INDEX subscriptions_private ON subscriptions (user, record_type, bucket_field, bucket_value, zone)
            WHERE kind = 1 AND scope = 1;
        CREATE INDEX subscriptions_changes ON subscriptions (user, scope, zone) WHERE kind > 1;
        CREATE INDEX subscriptions_zone ON subscriptions (zone) WHERE zone <> 0;

        -- Push tokens that are registered here. token is its row in the accounts file; user is whose messages it
        -- gets, '*' everybody's. queued counts its notifications. is_pruned: some of them were dropped unread.
        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            token INTEGER NOT NULL UNIQUE,
            user TEXT NOT NULL,
            client_id TEXT,
            badge INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL DEFAULT 0,
            is_pruned INTEGER NOT NULL DEFAULT 0,
            expires INTEGER NOT NULL
        );
        CREATE INDEX devices_user ON devices (user);
        CREATE INDEX devices_expires ON devices (expires);

        -- What a device is to be told, and what it was told while its place in a stream can be asked for. Of those
        -- with the same collapse one at most waits; revision counts what it took the place of.
        CREATE TABLE notifications (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            device INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0,
            collapse TEXT,
            is_delivered INTEGER NOT NULL DEFAULT 0,
            body BLOB NOT NULL
        );
        CREATE INDEX notifications_device ON notifications (device, is_delivered, id);
        CREATE UNIQUE INDEX notifications_collapse ON notifications (device, collapse)
            WHERE collapse IS NOT NULL AND is_delivered = 0;
        """
}
