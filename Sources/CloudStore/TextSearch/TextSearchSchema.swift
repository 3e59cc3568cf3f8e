/// The migration for full-text search: indexed fields of records.
enum TextSearchSchema {
    static let sql = """
        -- Fields that records were indexed by, as `id:name` in the order of their ids, and the version of what a word
        -- is. No content is kept, so taking a record's words out needs them again, from its old body.
        CREATE TABLE text_sets (
            id INTEGER PRIMARY KEY,
            version INTEGER NOT NULL,
            fields TEXT NOT NULL,
            UNIQUE (version, fields)
        );
        -- NULL where none of the record's words are kept.
        ALTER TABLE records ADD COLUMN text_set INTEGER;
        """
}
