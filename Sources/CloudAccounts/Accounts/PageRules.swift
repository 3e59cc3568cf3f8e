import CloudEngine
package import CloudModel
import CloudSQL

/// A page rule and its container. It applies to both environments.
package struct ContainerPageRule: Hashable, Sendable {
    package let container: Container
    package let rule: PageRule
    /// The last time at which records of the type may have come without being noted (``PublishedNameTable``), in milliseconds.
    package let changed: Int64
    /// The value of `changed` up to which all records of the type are noted.
    package let indexed: Int64
}

/// The table of page rules. It is in the accounts file, so that pages are known without opening an environment.
enum PageRuleTable {
    static let sql = Layout(
        sqlite: """
            CREATE TABLE pageRule (
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                recordType TEXT NOT NULL,
                rule TEXT NOT NULL,
                PRIMARY KEY (container, recordType)
            ) WITHOUT ROWID;
            """,
        postgres: """
            CREATE TABLE pageRule (
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                recordType TEXT COLLATE "C" NOT NULL,
                rule TEXT COLLATE "C" NOT NULL,
                PRIMARY KEY (container, recordType)
            );
            """)

    /// - Parameter row: the columns of a container, then `rule`, `changed` and `indexed`.
    static func read(_ row: SQLRow) throws -> ContainerPageRule {
        let json = try JSONParser.parse(row.blob(7))
        return ContainerPageRule(
            container: Container(row: row), rule: try PageRule(json), changed: row.integer(8), indexed: row.integer(9))
    }
}

/// The page rules of containers, and the index of published names.
package struct PageRules: Sendable {
    let database: AccountDatabase

    /// Sets the page of a record type, replacing an existing page.
    ///
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func set(_ rule: PageRule, container name: String) async throws {
        var writer = JSONWriter()
        writer.value(rule.json)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let now = database.now().milliseconds
        try await database.pool.write { db in
            let container = try Container.require(name: name, in: db)
            try db.run(
                """
                INSERT INTO pageRule (container, recordType, rule, changed) VALUES (?, ?, ?, ?)
                ON CONFLICT (container, recordType) DO UPDATE SET rule = excluded.rule
                """,
                .integer(container.id), .text(rule.recordType), .text(text), .integer(now))
        }
    }

    /// - Throws: `NOT_FOUND` for an unknown container, or a record type without a page.
    package func remove(recordType: String, container name: String) async throws {
        try await database.pool.write { db in
            let container = try Container.require(name: name, in: db)
            let removed = try db.run(
                "DELETE FROM pageRule WHERE container = ? AND recordType = ?", .integer(container.id),
                .text(recordType))
            guard removed > 0 else {
                throw ServerError(
                    .notFound,
                    "record type '\(Naming.shown(recordType))' of \(name) has no page; "
                        + "'cumulus page list' shows those that have", .missing(.page))
            }
        }
    }

    /// The app that a container's page rules name; nil for none, and for several names.
    package func app(container id: Int64) async throws -> PageApp? {
        let apps = try await database.lookups.run { db in
            try db.all("SELECT rule FROM pageRule WHERE container = ? ORDER BY recordType", .integer(id)) { row in
                try PageRule(JSONParser.parse(row.blob(0))).app
            }
        }.compactMap(\.self)
        return Set(apps.map(\.name)).count == 1 ? apps.first : nil
    }

    /// Page rules of one container, or of all containers if `name` is nil; oldest container first, then by record type.
    package func list(container name: String? = nil) async throws -> [ContainerPageRule] {
        try await database.pool.read { db in
            if let name { _ = try Container.require(name: name, in: db) }
            return try db.all(
                """
                SELECT \(Container.columns), rule, changed, indexed FROM pageRule JOIN container ON container.id = pageRule.container
                WHERE CAST(?1 AS TEXT) IS NULL OR container.name = ?1 ORDER BY container.id, recordType
                """, .text(optional: name), read: PageRuleTable.read)
        }
    }
}
