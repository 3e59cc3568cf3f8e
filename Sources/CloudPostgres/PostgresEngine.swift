import CloudSQL
package import CloudStore
import Synchronization

/// Stores each database in a schema of one PostgreSQL database.
package final class PostgresEngine: StoreEngine {
    private let server: PostgresServer
    private let root: String
    private let prefix: String
    /// The connection for questions about schemas.
    private let control: PostgresConnection
    private let known = Mutex<[String: DatabaseFacts]>([:])
    /// Account changes by schema.
    private let changes = Mutex<[String: AccountChanges]>([:])
    package let place: String?
    package let locks: (any EngineLocks)?
    package let news: (any EngineNews)?

    /// - Parameters:
    ///   - url: a libpq connection URL.
    ///   - root: the removed prefix of database paths; servers with different roots share schemas.
    ///   - prefix: the prefix of schema names.
    package convenience init(url: String, root: String, prefix: String = "cumulus_", limits: PostgresLimits = .init()) {
        self.init(PostgresServer(url: url, limits: limits), root: root, prefix: prefix)
    }

    /// Checks the database server and opens an engine.
    ///
    /// - Parameter onTrouble: called with the reason when the database becomes unreachable, and with nil after
    ///   recovery.
    /// - Throws: ``PostgresUnusable``.
    package convenience init(
        _ address: PostgresAddress, root: String, limits: PostgresLimits,
        onTrouble: @escaping @Sendable (String?) -> Void
    ) throws {
        let server = PostgresServer(url: address.url, limits: limits, onTrouble: onTrouble)
        try ServerCheck(address: address, server: server).run()
        self.init(
            server, place: address.shown, root: root,
            prefix: "cumulus_")
    }

    private init(_ server: PostgresServer, place: String? = nil, root: String, prefix: String) {
        self.server = server
        self.place = place
        self.root = root
        self.prefix = prefix
        control = PostgresConnection(server, schema: "public", answerTime: Self.quickResponse)
        locks = PostgresLocks(server, prefix: prefix)
        news = PostgresNews(server)
    }

    /// The time limit for statements that block a caller's thread.
    private static let quickResponse = Duration.seconds(5)

    private func schema(_ path: String) -> String { SchemaName.of(path, in: root, prefix: prefix) }

    package var respondsAtOnce: Bool { false }

    package func openForWriting(_ path: String) throws -> any EngineConnection {
        let connection = PostgresConnection(server, schema: schema(path), row: .records)
        try connection.makeSchema(note: note(path))
        return connection
    }

    package func openForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(server, schema: schema(path))
    }

    package func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        PostgresConnection(server, schema: schema(path))
    }

    package func openAccounts(_ path: String) throws -> any SQLPool {
        try PostgresPool(
            server, schema: schema(path), note: note(path), row: .accounts,
            changes: changes(of: path))
    }

    package func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(server, schema: schema(path), answerTime: Self.quickResponse)
    }

    private func changes(of path: String) -> AccountChanges {
        changes.withLock { changes in
            let known = changes[schema(path)] ?? AccountChanges()
            changes[schema(path)] = known
            return known
        }
    }

    package func watchAccounts(_ path: String) throws -> any AccountsProbe {
        PostgresRevision(
            PostgresConnection(server, schema: schema(path), givesWay: false, answerTime: Self.quickResponse),
            changes(of: path))
    }

    package func writesOfAccounts(
        _ path: String, _ onWrite: @escaping @Sendable (_ isTold: Bool) -> Void
    ) -> (any Sendable)? { changes(of: path).observe { onWrite(true) } }

    /// Cached: after a schema is dropped elsewhere, each statement fails by itself.
    package func facts(of path: String) throws -> DatabaseFacts? {
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

    package func name(of path: String) -> String { "the schema \(schema(path))" }

    /// PostgreSQL manages its own log.
    package func logBytes(of path: String) -> Int64 { 0 }

    package func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        let connection = PostgresConnection(server, schema: schema(source))
        try connection.copySchema(to: schema(path), note: note(path), report)
        try connection.close()
        forget(path)
    }

    package func duplicate(_ source: String, to path: String) throws { try copy(source, to: path) { _, _ in } }

    // MARK: Schemas as databases

    package func move(_ path: String, to place: String) throws {
        let (old, new) = (schema(path), schema(place))
        try control.runAlone(
            """
            DROP SCHEMA IF EXISTS "\(new)" CASCADE; ALTER SCHEMA "\(old)" RENAME TO "\(new)";
            COMMENT ON SCHEMA "\(new)" IS \(PostgresDriver.quoted(note(place)))
            """)
        forget(path)
        forget(place)
    }

    package func remove(_ path: String) throws {
        try control.runAlone("DROP SCHEMA IF EXISTS \"\(schema(path))\" CASCADE")
        forget(path)
    }

    package func databases(beginningWith start: String) throws -> [String] {
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

    /// The schema's comment: the database path within the root.
    private func note(_ path: String) -> String { path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path }

    private func forget(_ path: String) { known.withLock { $0[schema(path)] = nil } }
}
