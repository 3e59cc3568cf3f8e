/// The tables of key-value stores: the migration "6 key-value".
enum KeyValueSchema {
    static let sql = """
        -- One row for each user who has stored something. position is that of the last change, floor that of the last
        -- removal no longer remembered; bytes and keys count what is there, removed what is remembered as gone.
        CREATE TABLE key_value_stores (
            id INTEGER PRIMARY KEY,
            user TEXT NOT NULL UNIQUE,
            position INTEGER NOT NULL,
            floor INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            keys INTEGER NOT NULL,
            removed INTEGER NOT NULL
        );

        -- body is the value as responses show it; a row without one is of a removed key. client is who wrote it.
        CREATE TABLE key_values (
            id INTEGER PRIMARY KEY,
            store INTEGER NOT NULL REFERENCES key_value_stores (id),
            key TEXT NOT NULL,
            position INTEGER NOT NULL,
            client TEXT,
            bytes INTEGER NOT NULL,
            body BLOB,
            UNIQUE (store, key)
        );
        CREATE INDEX key_values_position ON key_values (store, position);
        CREATE INDEX key_values_removed ON key_values (store, position) WHERE body IS NULL;
        """
}
