import CloudEngine
import CloudSQL
import Synchronization

/// The schemas of one PostgreSQL database, each a database of the store.
final class PostgresSchemas: DatabaseLocations {
    let place: String?
    private let root: String
    private let prefix: String
    /// The connection for questions about schemas.
    private let control: PostgresConnection
    private let known = Mutex<[String: DatabaseFacts]>([:])

    init(_ server: PostgresServer, place: String?, root: String, prefix: String) {
        self.place = place
        self.root = root
        self.prefix = prefix
        control = PostgresConnection(server, schema: "public", answerTime: PostgresEngine.quickResponse)
    }

    func schema(_ path: String) -> String { SchemaName.of(path, in: root, prefix: prefix) }

    /// The schema's comment: the database path within the root.
    func note(_ path: String) -> String { path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path }

    func forget(_ path: String) { known.withLock { $0[schema(path)] = nil } }

    /// Cached: after a schema is dropped elsewhere, each statement fails by itself.
    func facts(of path: String) throws -> DatabaseFacts? {
        let schema = schema(path)
        if let known = known.withLock({ $0[schema] }) { return known }
        let oid = try control.use { db in
            try db.first("SELECT CAST(oid AS BIGINT) FROM pg_namespace WHERE nspname = ?", .text(schema)) {
                $0.integer(0)
            }
        }
        guard let oid else { return nil }
        let facts = DatabaseFacts(identity: (UInt64(oid), 0), isEmpty: false)
        known.withLock { $0[schema] = facts }
        return facts
    }

    func name(of path: String) -> String { "the schema \(schema(path))" }

    /// PostgreSQL manages its own log.
    func logBytes(of path: String) -> Int64 { 0 }

    func move(_ path: String, to place: String) throws {
        let (old, new) = (schema(path), schema(place))
        try control.runAlone(
            """
            DROP SCHEMA IF EXISTS "\(new)" CASCADE; ALTER SCHEMA "\(old)" RENAME TO "\(new)";
            COMMENT ON SCHEMA "\(new)" IS \(PostgresDriver.quoted(note(place)))
            """)
        forget(path)
        forget(place)
    }

    func remove(_ path: String) throws {
        try control.runAlone("DROP SCHEMA IF EXISTS \"\(schema(path))\" CASCADE")
        forget(path)
    }

    func databases(beginningWith start: String) throws -> [String] {
        let rest = note(start)
        let notes = try control.use { db in
            try db.all(
                """
                SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace
                WHERE starts_with(nspname, ?) AND starts_with(obj_description(oid, 'pg_namespace'), ?) ORDER BY 1
                """, .text(prefix), .text(rest)
            ) { $0.text(0) }
        }
        return notes.map { start + $0.dropFirst(rest.count) }
    }
}
