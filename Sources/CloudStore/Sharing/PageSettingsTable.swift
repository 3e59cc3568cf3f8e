import CloudAccounts
import CloudModel
package import CloudSQL

/// Settings of share pages, in the records file of the shared records.
///
/// These are the tables of migration "4 links"; "17 names" renames them to `page_settings` and `page_items`, and
/// "22 downloads", "23 asset facts", "24 page languages" and "25 page layouts" add a column each.
package enum PageSettingsTable {
    static let sql = Layout(
        sqlite: """
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
            """,
        postgres: """
            CREATE TABLE links (
                id TEXT COLLATE "C" NOT NULL,
                owner TEXT COLLATE "C" NOT NULL,
                expires BIGINT,
                delete_after_expiry BIGINT NOT NULL,
                taken_down BIGINT NOT NULL,
                password TEXT COLLATE "C",
                PRIMARY KEY (id, owner)
            );
            CREATE INDEX links_expiry ON links (expires) WHERE delete_after_expiry = 1;
            CREATE TABLE link_items (
                link TEXT COLLATE "C" NOT NULL,
                owner TEXT COLLATE "C" NOT NULL,
                item TEXT COLLATE "C" NOT NULL,
                PRIMARY KEY (link, owner, item)
            );
            """)

    static let places = Layout(
        sqlite: "ALTER TABLE page_settings ADD COLUMN places INTEGER NOT NULL DEFAULT 0;",
        postgres: "ALTER TABLE page_settings ADD COLUMN places BIGINT NOT NULL DEFAULT 0;")

    static let languages = Layout(
        sqlite: "ALTER TABLE page_settings ADD COLUMN language TEXT;",
        postgres: #"ALTER TABLE page_settings ADD COLUMN language TEXT COLLATE "C";"#)

    private static let columns =
        "id, owner, expires, delete_after_expiry, taken_down, password, downloads, places, language, layout"

    package static func find(_ id: String, owner: String, _ db: SQLConnection) throws -> PageSettings? {
        try db.first(
            "SELECT \(columns) FROM page_settings WHERE id = ? AND owner = ?", .text(id), .text(owner), read: settings
        ).map { try withItems($0, db) }
    }

    package static func save(_ settings: PageSettings, _ db: SQLConnection) throws {
        try delete(settings.id, owner: settings.owner, db)
        try db.run(
            "INSERT INTO page_settings (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .text(settings.id),
            .text(settings.owner),
            .timestamp(optional: settings.expires), .integer(settings.deletesAfterExpiry ? 1 : 0),
            .integer(settings.isTakenDown ? 1 : 0), .text(optional: settings.password?.text),
            .text(optional: settings.downloads.stored), .bool(settings.showsPlaces),
            .text(optional: settings.language), .text(optional: settings.layout.stored))
        for item in settings.items ?? [] {
            try db.run(
                "INSERT INTO page_items (page, owner, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                .text(settings.id),
                .text(settings.owner), .text(item))
        }
    }

    static func delete(_ id: String, owner: String, _ db: SQLConnection) throws {
        try db.run("DELETE FROM page_settings WHERE id = ? AND owner = ?", .text(id), .text(owner))
        try db.run("DELETE FROM page_items WHERE page = ? AND owner = ?", .text(id), .text(owner))
    }

    /// Settings of pages whose contents are to be deleted by `now`.
    static func due(at now: Timestamp, skipping: Int, limit: Int, _ db: SQLConnection) throws -> [PageSettings] {
        var due: [PageSettings] = []
        try db.each(
            """
            SELECT \(columns) FROM page_settings WHERE delete_after_expiry = 1 AND expires <= ?
            ORDER BY expires, id, owner LIMIT ? OFFSET ?
            """, [.timestamp(now), .integer(Int64(limit)), .integer(Int64(skipping))]
        ) {
            due.append(settings($0))
            return true
        }
        return due
    }

    static func firstDue(_ db: SQLConnection) throws -> Timestamp? {
        try db.first(
            """
            SELECT expires FROM page_settings WHERE delete_after_expiry = 1 AND expires IS NOT NULL
            ORDER BY expires LIMIT 1
            """
        ) { $0.timestamp(0) }
    }

    private static func settings(_ row: SQLRow) -> PageSettings {
        var settings = PageSettings(id: row.text(0), owner: row.text(1))
        settings.expires = row.optionalTimestamp(2)
        settings.deletesAfterExpiry = row.integer(3) != 0
        settings.isTakenDown = row.integer(4) != 0
        settings.password = row.isNull(5) ? nil : PasswordHash(stored: row.text(5))
        settings.downloads = PageDownloads(stored: row.isNull(6) ? nil : row.text(6))
        settings.showsPlaces = row.bool(7)
        settings.language = row.isNull(8) ? nil : row.text(8)
        settings.layout = PageLayout(stored: row.isNull(9) ? nil : row.text(9))
        return settings
    }

    private static func withItems(_ settings: PageSettings, _ db: SQLConnection) throws -> PageSettings {
        var items: [String] = []
        try db.each(
            "SELECT item FROM page_items WHERE page = ? AND owner = ? ORDER BY item",
            [.text(settings.id), .text(settings.owner)]
        ) {
            items.append($0.text(0))
            return true
        }
        var settings = settings
        settings.items = items.isEmpty ? nil : items
        return settings
    }
}
