import CloudSQL
import TestEngine
import TestStore

/// Questions of tests to a database that each engine answers in its own way.
extension TemporaryStore {
    /// The names of the tables that begin so, in their order.
    func tables(beginningWith prefix: String) async throws -> [String] {
        let names = try await column(
            ChosenEngine.isPostgres
                ? "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
                : "SELECT name FROM sqlite_master WHERE type = 'table'")
        return names.filter { $0.hasPrefix(prefix) }.sorted()
    }

    /// The names of the indexes of a table, but for those that its keys have.
    func indexes(of table: String) async throws -> [String] {
        try read { try $0.dialect.upkeep.indexes(of: table, $0) }
    }

    /// The tokens that the index of words has, each once.
    func tokens() async throws -> [String] {
        if ChosenEngine.isPostgres { return try await column("SELECT DISTINCT unnest(tokens) FROM words ORDER BY 1") }
        return try write { db in
            try db.script("CREATE VIRTUAL TABLE temp.seen USING fts5vocab('main', 'words', 'row')")
            return try db.all("SELECT term FROM temp.seen") { $0.text(0) }
        }
    }

    /// Replaces a text within the body of a record by another.
    func replace(_ old: String, by new: String, inBodyOf name: String) throws {
        try write { db in
            let body = try db.first("SELECT body FROM records WHERE name = ?", .text(name)) { $0.blob(0) } ?? []
            let text = String(decoding: body, as: UTF8.self).replacing(old, with: new)
            try db.run("UPDATE records SET body = ? WHERE name = ?", .blob(Array(text.utf8)), .text(name))
        }
    }

    /// Has a migration run again when the store is next opened.
    func forgetMigration(_ name: String) throws {
        let (table, column) = ChosenEngine.isPostgres ? ("migrations", "name") : ("grdb_migrations", "identifier")
        try write { _ = try $0.run("DELETE FROM \(table) WHERE \(column) = ?", .text(name)) }
    }

    /// Gives a database the names that it had before the migration "17 names", which then runs when it is next opened.
    func takeBackNames() throws {
        try write { db in
            try db.script(
                """
                ALTER TABLE page_settings RENAME TO links;
                DROP INDEX page_settings_expiry;
                CREATE INDEX links_expiry ON links (expires) WHERE delete_after_expiry = 1;
                ALTER TABLE page_items RENAME COLUMN page TO link;
                ALTER TABLE page_items RENAME TO link_items;
                ALTER TABLE record_references RENAME TO record_links;
                ALTER TABLE records RENAME COLUMN beside TO links;
                ALTER TABLE locations RENAME TO positions;
                """)
            try db.script(
                ChosenEngine.isPostgres
                    ? """
                    DROP INDEX locations_point;
                    CREATE INDEX positions_place ON positions (field, zone, latitude, longitude)
                    """
                    : "ALTER TABLE locations_tree RENAME TO positions_tree")
        }
        try forgetMigration("17 names")
        try forgetMigration("18 areas")
    }
}
