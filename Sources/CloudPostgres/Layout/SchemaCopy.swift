import CloudSQL

/// Copies the tables of a schema into a new schema, from one snapshot.
struct SchemaCopy {
    let source: String
    let target: String
    /// The comment of the new schema.
    let note: String
    let driver: PostgresDriver
    let db: SQLConnection

    /// - Parameter report: called with the copied and total tables.
    func run(_ report: (_ done: Int, _ total: Int) -> Void) throws {
        // One snapshot for all tables, despite concurrent writes.
        try driver.begin("BEGIN ISOLATION LEVEL REPEATABLE READ")
        do {
            let tables = try tables()
            let rest = try indexesAndTriggers()
            try driver.run("DROP SCHEMA IF EXISTS \"\(target)\" CASCADE; CREATE SCHEMA \"\(target)\"")
            try driver.run("COMMENT ON SCHEMA \"\(target)\" IS \(PostgresDriver.quoted(note))")
            try driver.run("SET LOCAL search_path = \"\(target)\"; \(EngineFunctions.layout)")
            for (index, table) in tables.enumerated() {
                try copy(table)
                report(index + 1, tables.count)
            }
            try driver.run(rest)
            try db.run("COMMIT")
        } catch {
            try db.rollBack()
            throw error
        }
    }

    private func tables() throws -> [String] {
        try db.all(
            "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace(?) AND relkind = 'r' ORDER BY relname",
            .text(source)
        ) { $0.text(0) }
    }

    /// SQL for keys, indexes and triggers, which `LIKE` omits or renames.
    ///
    /// The connection's search path contains only the source, so definitions name no schema.
    private func indexesAndTriggers() throws -> String {
        let schema = "to_regnamespace(\(PostgresDriver.quoted("\"\(source)\"")))"
        let constraint = """
            'ALTER TABLE ' || conrelid::regclass || ' ADD CONSTRAINT ' || quote_ident(conname) || ' '
                || pg_get_constraintdef(oid, true) FROM pg_constraint WHERE connamespace = \(schema)
            """
        let found = try driver.run(
            """
            SELECT string_agg(definition, ';' ORDER BY place) FROM (
                SELECT 1, \(constraint) AND contype IN ('p', 'u')
                UNION ALL
                SELECT 2, pg_get_indexdef(c.oid, 0, true) FROM pg_class c
                WHERE relnamespace = \(schema) AND relkind = 'i'
                    AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = c.oid)
                UNION ALL
                SELECT 3, \(constraint) AND contype = 'f'
                UNION ALL
                SELECT 4, format('CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS %L', proname, prosrc)
                FROM pg_proc WHERE pronamespace = \(schema) AND prorettype = 'trigger'::regtype
                UNION ALL
                SELECT 5, pg_get_triggerdef(t.oid, true) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
                WHERE relnamespace = \(schema) AND NOT tgisinternal
            ) AS parts (place, definition)
            """)
        return found?.firstText ?? ""
    }

    private func copy(_ table: String) throws {
        let (from, to) = ("\"\(source)\".\"\(table)\"", "\"\(target)\".\"\(table)\"")
        // Create indexes after the rows, which is faster, and from their definitions, because LIKE renames them.
        try driver.run(
            """
            CREATE TABLE \(to) (LIKE \(from) INCLUDING ALL EXCLUDING INDEXES);
            INSERT INTO \(to) SELECT * FROM \(from);
            """)
        // Continue the id sequence, so that ids are never reused.
        try driver.run(
            """
            SELECT setval(pg_get_serial_sequence('\(to)', 'id'), pg_sequence_last_value(pg_get_serial_sequence(
                '\(from)', 'id')::regclass))
            FROM pg_attribute WHERE attrelid = '\(from)'::regclass AND attname = 'id' AND attidentity <> ''
            """)
    }
}
