import CloudModel
import CloudSQL

/// The settings of share pages, in the file of the records that they show.
///
/// The tables are as the migration "4 links" makes them; "16 names" calls them `page_settings` and `page_items`.
enum PageSettingsTable {
    static let sql = """
        CREATE TABLE links (
            id TEXT NOT NULL,
            owner TEXT NOT NULL,
            expires INTEGER,
            delete_after_expiry INTEGER NOT NULL,
            taken_down INTEGER NOT NULL,
            password TEXT,
            PRIMARY KEY (id, owner)
        ) WITHOUT ROWID;
        CREATE INDEX links_expiry ON links (expires) WHERE delete_after_expiry = 1;
        -- The records an owner chose; none for a link means all.
        CREATE TABLE link_items (
            link TEXT NOT NULL,
            owner TEXT NOT NULL,
            item TEXT NOT NULL,
            PRIMARY KEY (link, owner, item)
        ) WITHOUT ROWID;
        """

    private static let columns = "id, owner, expires, delete_after_expiry, taken_down, password"

    static func find(_ id: String, owner: String, _ db: SQLConnection) throws -> PageSettings? {
        try db.first("SELECT \(columns) FROM links WHERE id = ? AND owner = ?", .text(id), .text(owner), read: link)
            .map { try withItems($0, db) }
    }

    static func save(_ link: PageSettings, _ db: SQLConnection) throws {
        try delete(link.id, owner: link.owner, db)
        try db.run(
            "INSERT INTO links (\(columns)) VALUES (?, ?, ?, ?, ?, ?)", .text(link.id), .text(link.owner),
            .timestamp(optional: link.expires), .integer(link.deletesAfterExpiry ? 1 : 0),
            .integer(link.isTakenDown ? 1 : 0), .text(optional: link.password?.text))
        for item in link.items ?? [] {
            try db.run(
                "INSERT OR IGNORE INTO link_items (link, owner, item) VALUES (?, ?, ?)", .text(link.id),
                .text(link.owner), .text(item))
        }
    }

    static func delete(_ id: String, owner: String, _ db: SQLConnection) throws {
        try db.run("DELETE FROM links WHERE id = ? AND owner = ?", .text(id), .text(owner))
        try db.run("DELETE FROM link_items WHERE link = ? AND owner = ?", .text(id), .text(owner))
    }

    /// Settings of pages whose contents are to be deleted by now.
    static func due(at now: Timestamp, skipping: Int, limit: Int, _ db: SQLConnection) throws -> [PageSettings] {
        var links: [PageSettings] = []
        try db.each(
            """
            SELECT \(columns) FROM links WHERE delete_after_expiry = 1 AND expires <= ? ORDER BY expires, id, owner
            LIMIT ? OFFSET ?
            """, [.timestamp(now), .integer(Int64(limit)), .integer(Int64(skipping))]
        ) {
            links.append(link($0))
            return true
        }
        return links
    }

    static func firstDue(_ db: SQLConnection) throws -> Timestamp? {
        try db.first(
            "SELECT expires FROM links WHERE delete_after_expiry = 1 AND expires IS NOT NULL ORDER BY expires LIMIT 1"
        ) { $0.timestamp(0) }
    }

    private static func link(_ row: SQLRow) -> PageSettings {
        var link = PageSettings(id: row.text(0), owner: row.text(1))
        link.expires = row.optionalTimestamp(2)
        link.deletesAfterExpiry = row.integer(3) != 0
        link.isTakenDown = row.integer(4) != 0
        link.password = row.isNull(5) ? nil : PasswordHash(stored: row.text(5))
        return link
    }

    private static func withItems(_ link: PageSettings, _ db: SQLConnection) throws -> PageSettings {
        var items: [String] = []
        try db.each(
            "SELECT item FROM link_items WHERE link = ? AND owner = ? ORDER BY item",
            [.text(link.id), .text(link.owner)]
        ) {
            items.append($0.text(0))
            return true
        }
        var link = link
        link.items = items.isEmpty ? nil : items
        return link
    }
}
