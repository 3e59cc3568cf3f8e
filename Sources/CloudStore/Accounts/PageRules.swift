package import CloudModel
import CloudSQL

/// A page rule and the container it is for. It holds for both environments.
package struct ContainerPageRule: Hashable, Sendable {
    package let container: Container
    package let rule: PageRule
    /// The last time at which records of the type may have come without being noted (``PublishedNameTable``), in
    /// milliseconds.
    let changed: Int64
    /// The value of `changed` up to which all of them are noted.
    let indexed: Int64
}

/// The table of page rules in the accounts file, which says what pages there are without opening an environment.
enum PageRuleTable {
    static let sql = """
        CREATE TABLE pageRule (
            container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
            recordType TEXT NOT NULL,
            rule TEXT NOT NULL,
            PRIMARY KEY (container, recordType)
        ) WITHOUT ROWID;
        """

    /// - Parameter row: the columns of a container, then the rule and what of it is indexed.
    static func read(_ row: SQLRow) throws -> ContainerPageRule {
        let json = try JSONParser.parse(row.blob(7))
        return ContainerPageRule(
            container: Container(row: row), rule: try PageRule(json), changed: row.integer(8), indexed: row.integer(9))
    }
}

extension AccountStore {
    /// Gives a record type of a container its page, in place of the one it may have.
    ///
    /// - Throws: `NOT_FOUND` for an unknown container.
    package func setPageRule(_ rule: PageRule, container name: String) async throws {
        var writer = JSONWriter()
        writer.value(rule.json)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let now = now().milliseconds
        try await pool.write { db in
            let container = try Container.require(name: name, in: db)
            try db.run(
                """
                INSERT INTO pageRule (container, recordType, rule, changed) VALUES (?, ?, ?, ?)
                ON CONFLICT (container, recordType) DO UPDATE SET rule = excluded.rule
                """,
                .integer(container.id), .text(rule.recordType), .text(text), .integer(now))
        }
    }

    /// - Throws: `NOT_FOUND` for an unknown container, or a type that has no page.
    package func removePageRule(recordType: String, container name: String) async throws {
        try await pool.write { db in
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

    /// The rules of one container, or of all; by the age of the container, then by type.
    package func pageRules(container name: String? = nil) async throws -> [ContainerPageRule] {
        try await pool.read { db in
            if let name { _ = try Container.require(name: name, in: db) }
            return try db.all(
                """
                SELECT \(Container.columns), rule, changed, indexed FROM pageRule JOIN container ON container.id = pageRule.container
                WHERE CAST(?1 AS TEXT) IS NULL OR container.name = ?1 ORDER BY container.id, recordType
                """, .text(optional: name), read: PageRuleTable.read)
        }
    }
}
