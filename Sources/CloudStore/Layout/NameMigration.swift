import CloudSQL

/// Renames old tables and columns to current names, without reading or writing rows.
///
/// Indexes whose new name would require a rebuild keep their old names.
enum NameMigration {
    static func run(_ db: SQLConnection) throws {
        try db.script(sql)
        try db.script(db.dialect.locations.renaming)
    }

    private static let sql = """
        ALTER TABLE links RENAME TO page_settings;
        DROP INDEX links_expiry;
        CREATE INDEX page_settings_expiry ON page_settings (expires) WHERE delete_after_expiry = 1;
        ALTER TABLE link_items RENAME TO page_items;
        ALTER TABLE page_items RENAME COLUMN link TO page;
        ALTER TABLE record_links RENAME TO record_references;
        ALTER TABLE records RENAME COLUMN links TO beside;
        ALTER TABLE positions RENAME TO locations;
        """
}
