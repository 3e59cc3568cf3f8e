extension Migrations {
    static let schema = """
        -- Custom roles. Their numbers, in the order they were made, are those in a user's roles; none is used again.
        CREATE TABLE roles (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE
        );
        ALTER TABLE fields ADD COLUMN is_settled_number INTEGER NOT NULL DEFAULT 0;

        -- generation says which of the tables made for its values is asked. A removed type waits for the last of its
        -- records to go, under a name that nobody can ask for.
        ALTER TABLE record_types ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE record_types ADD COLUMN is_removed INTEGER NOT NULL DEFAULT 0;

        -- Values tables being filled, and those that are to be when the one before is done. derives_all: what is kept
        -- beside the records and their bodies too. unbuilt: columns with the marks of the indexes that queries wait
        -- for. zone and record say how far it got, in the order of the table that is asked.
        CREATE TABLE builds (
            record_type INTEGER NOT NULL REFERENCES record_types (id),
            generation INTEGER NOT NULL,
            is_started INTEGER NOT NULL DEFAULT 0,
            derives_all INTEGER NOT NULL,
            unbuilt TEXT NOT NULL,
            zone INTEGER NOT NULL DEFAULT 0,
            record INTEGER NOT NULL DEFAULT 0,
            done INTEGER NOT NULL DEFAULT 0,
            total INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (record_type, generation)
        ) WITHOUT ROWID;

        -- Removed fields whose values are still in bodies written up to position, until generation is built.
        CREATE TABLE dropped_fields (
            record_type INTEGER NOT NULL REFERENCES record_types (id),
            name TEXT NOT NULL,
            position INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            PRIMARY KEY (record_type, name)
        ) WITHOUT ROWID;

        -- Values tables that nobody asks any more, to be emptied bit by bit.
        CREATE TABLE dropped_tables (name TEXT PRIMARY KEY) WITHOUT ROWID;
        """
}
