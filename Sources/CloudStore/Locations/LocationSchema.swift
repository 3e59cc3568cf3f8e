/// Where records are.
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
        -- The same in 1e-7 degrees, rounded outwards. place says which zone and field, as a number that is far from
        -- those of others: so each has a branch of the tree of its own. It spans one unit, because a box without any
        -- extent has no volume, by which the tree chooses where things go.
        CREATE VIRTUAL TABLE positions_tree USING rtree_i32(
            id, south, north, west, east, place, place_end
        );
        """
}
