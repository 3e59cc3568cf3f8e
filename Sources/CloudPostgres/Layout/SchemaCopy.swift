import CloudSQL
import CloudStore

/// Copies the tables of a schema, as they are at one moment, into another that is made for it.
struct SchemaCopy {
    let source: String
    let target: String
    /// The comment of the target.
    let note: String
    let driver: PostgresDriver
    let db: SQLConnection

    /// - Parameter report: called with the tables done and those there are.
    func run(_ report: (_ done: Int, _ total: Int) -> Void) throws {
        // One snapshot for all tables, whoever writes meanwhile.
        try driver.begin("BEGIN ISOLATION LEVEL REPEATABLE READ")
        do {
            try driver.run("DROP SCHEMA IF EXISTS \"\(target)\" CASCADE; CREATE SCHEMA \"\(target)\"")
            try driver.run("COMMENT ON SCHEMA \"\(target)\" IS \(PostgresDriver.quoted(note))")
            try driver.run("SET LOCAL search_path = \"\(target)\"; \(EngineFunctions.layout)")
            let tables = try tables()
            for (index, table) in tables.enumerated() {
                try copy(table)
                report(index + 1, tables.count)
            }
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

    private func copy(_ table: String) throws {
        let (from, to) = ("\"\(source)\".\"\(table)\"", "\"\(target)\".\"\(table)\"")
        try driver.run("CREATE TABLE \(to) (LIKE \(from) INCLUDING ALL); INSERT INTO \(to) SELECT * FROM \(from)")
        // Numbers that were given out are not given again.
        try driver.run(
            """
            SELECT setval(pg_get_serial_sequence('\(to)', 'id'), pg_sequence_last_value(pg_get_serial_sequence(
                '\(from)', 'id')::regclass))
            WHERE EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = '\(source)'
                AND table_name = '\(table)' AND column_name = 'id' AND is_identity = 'YES')
            """)
    }
}
