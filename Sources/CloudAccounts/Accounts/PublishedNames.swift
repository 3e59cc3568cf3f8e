import CloudEngine
package import CloudModel
package import CloudSQL

/// Names of public records that may have a share page, with the environment of each, so that an id alone leads to its
/// environment.
///
/// A name is noted before its record is committed, and removed after its record is deleted. So the table has all such records,
/// and temporarily also names without a record.
package enum PublishedNameTable {
    static let sql = Layout(
        sqlite: """
            CREATE TABLE publishedName (
                name TEXT NOT NULL,
                container INTEGER NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT NOT NULL,
                noted INTEGER NOT NULL,
                PRIMARY KEY (name, container, environment)
            ) WITHOUT ROWID;
            CREATE INDEX publishedNamePlace ON publishedName(container, environment, name);
            ALTER TABLE pageRule ADD COLUMN changed INTEGER NOT NULL DEFAULT 1;
            ALTER TABLE pageRule ADD COLUMN indexed INTEGER NOT NULL DEFAULT 0;
            CREATE TRIGGER pageRuleAdded AFTER INSERT ON pageRule BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER pageRuleUpdated AFTER UPDATE ON pageRule BEGIN UPDATE revision SET value = value + 1; END;
            CREATE TRIGGER pageRuleDeleted AFTER DELETE ON pageRule BEGIN UPDATE revision SET value = value + 1; END;
            """,
        postgres: """
            CREATE TABLE publishedName (
                name TEXT COLLATE "C" NOT NULL,
                container BIGINT NOT NULL REFERENCES container ON DELETE CASCADE,
                environment TEXT COLLATE "C" NOT NULL,
                noted BIGINT NOT NULL,
                PRIMARY KEY (name, container, environment)
            );
            CREATE INDEX publishedNamePlace ON publishedName(container, environment, name);
            ALTER TABLE pageRule ADD COLUMN changed BIGINT NOT NULL DEFAULT 1;
            ALTER TABLE pageRule ADD COLUMN indexed BIGINT NOT NULL DEFAULT 0;
            CREATE FUNCTION pageRuleAdded() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pageRuleAdded AFTER INSERT ON pageRule FOR EACH ROW EXECUTE FUNCTION pageRuleAdded();
            CREATE FUNCTION pageRuleUpdated() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pageRuleUpdated AFTER UPDATE ON pageRule FOR EACH ROW EXECUTE FUNCTION pageRuleUpdated();
            CREATE FUNCTION pageRuleDeleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                UPDATE revision SET value = value + 1;
                RETURN NULL;
            END $$;
            CREATE TRIGGER pageRuleDeleted AFTER DELETE ON pageRule FOR EACH ROW EXECUTE FUNCTION pageRuleDeleted();
            """)

    /// Marks the page rules of a container, or of all, for indexing again, because records may have come without being noted.
    package static func distrust(container: Int64?, now: Timestamp, _ db: SQLConnection) throws {
        try db.run(
            """
            UPDATE pageRule SET changed = CASE WHEN changed < ?1 THEN ?1 ELSE changed + 1 END
            WHERE CAST(?2 AS BIGINT) IS NULL OR container = ?2
            """, .integer(now.milliseconds), container.map { .integer($0) } ?? .null)
    }
}

/// An environment that may have a public record with a share page.
package struct PublishedPlace: Sendable {
    package let container: Container
    package let environment: ContainerEnvironment
}

/// A name in the index, with the time of its last note in milliseconds.
package struct PublishedName: Hashable, Sendable {
    package let name: String
    package let noted: Int64
}

/// The index of published names of one environment, for the environment's writer.
package struct PublishedNames: Sendable {
    private let database: AccountDatabase
    private let container: Int64
    private let environment: ContainerEnvironment

    package init(database: AccountDatabase, container: Int64, environment: ContainerEnvironment) {
        self.database = database
        self.container = container
        self.environment = environment
    }

    /// The container's record types with a page rule. Blocks the calling thread, which is the writer's.
    package func types() throws -> Set<String> {
        let revision = try database.cache.validateBlocking()
        if let known = database.cache.value(\.pageTypes, container, revision) { return known }
        return remember(try database.lookups.runBlocking { try Self.types(of: container, $0) }, revision)
    }

    /// Like ``types()``, for tasks.
    package func currentTypes() async throws -> Set<String> {
        let revision = try await database.cache.validate()
        if let known = database.cache.value(\.pageTypes, container, revision) { return known }
        return remember(try await database.lookups.run { [container] in try Self.types(of: container, $0) }, revision)
    }

    private func remember(_ types: Set<String>, _ revision: AccountsRevision) -> Set<String> {
        database.cache.remember(types, \.pageTypes, container, revision)
        return types
    }

    private static func types(of container: Int64, _ db: SQLConnection) throws -> Set<String> {
        Set(try db.all("SELECT recordType FROM pageRule WHERE container = ?", .integer(container)) { $0.text(0) })
    }

    /// Notes names. Returns once they are on disk.
    package func note(_ names: [String]) throws {
        let now = database.now().milliseconds
        try database.pool.writeBlocking { db in
            for name in names {
                try db.run(
                    """
                    INSERT INTO publishedName (name, container, environment, noted) VALUES (?, ?, ?, ?)
                    ON CONFLICT (name, container, environment) DO UPDATE SET noted = excluded.noted
                    """, .text(name), .integer(container), .text(environment.rawValue), .integer(now))
            }
        }
    }

    package func list(after name: String, limit: Int) async throws -> [PublishedName] {
        try await database.pool.read { [container, environment] db in
            try db.all(
                """
                SELECT name, noted FROM publishedName
                WHERE container = ? AND environment = ? AND name > ? ORDER BY name LIMIT ?
                """, .integer(container), .text(environment.rawValue), .text(name), .integer(Int64(limit))
            ) { PublishedName(name: $0.text(0), noted: $0.integer(1)) }
        }
    }

    /// Removes names, except names noted again since `names` was read.
    package func remove(_ names: [PublishedName]) async throws {
        let place: [SQLValue] = [.integer(container), .text(environment.rawValue)]
        try await database.pool.write { db in
            for name in names {
                try db.run(
                    "DELETE FROM publishedName WHERE container = ? AND environment = ? AND name = ? AND noted = ?",
                    place + [.text(name.name), .integer(name.noted)])
            }
        }
    }
}

extension PageRules {
    /// Environments that may have a public record of this name with a share page; by container, production first.
    ///
    /// Includes every environment whose page rules are not fully indexed, whatever the name.
    package func places(ofPublished name: String) async throws -> [PublishedPlace] {
        try await database.pool.read { db in
            try db.all(
                """
                SELECT \(Container.columns), place.environment FROM (
                    SELECT container, environment FROM publishedName WHERE name = ?
                    UNION SELECT madeEnvironment.container, madeEnvironment.environment
                    FROM pageRule JOIN madeEnvironment ON madeEnvironment.container = pageRule.container
                    WHERE pageRule.changed <> pageRule.indexed
                ) AS place JOIN container ON container.id = place.container
                ORDER BY container.id, place.environment DESC
                """, .text(name)
            ) { row in
                ContainerEnvironment(rawValue: row.text(7)).map {
                    PublishedPlace(container: Container(row: row), environment: $0)
                }
            }.compactMap(\.self)
        }
    }

    /// Marks the page rules of a container for indexing again, because records have come into an environment without being
    /// noted.
    package func distrustPublishedNames(container: Int64) async throws {
        let now = database.now()
        try await database.pool.write { db in try PublishedNameTable.distrust(container: container, now: now, db) }
    }

    /// Notes that all records of a rule are indexed. If `changed` has moved since the rule was read, the rule still counts as
    /// unindexed.
    package func noteIndexed(_ rule: ContainerPageRule) async throws {
        try await database.pool.write { db in
            _ = try db.run(
                "UPDATE pageRule SET indexed = ? WHERE container = ? AND recordType = ?", .integer(rule.changed),
                .integer(rule.container.id), .text(rule.rule.recordType))
        }
    }
}
