/// The table of records' locations: the migration "8 words and places".
enum LocationSchema {
    static let sql = """
        -- The value of each location field, in degrees.
        CREATE TABLE positions (
            id INTEGER PRIMARY KEY,
            record INTEGER NOT NULL REFERENCES records (id),
            field INTEGER NOT NULL,
            zone INTEGER NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            UNIQUE (record, field)
        );
        """
}
