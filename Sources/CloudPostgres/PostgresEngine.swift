import CloudSQL
package import CloudStore
import Synchronization

/// Keeps each database in a schema of one PostgreSQL database.
package final class PostgresEngine: StoreEngine {
    private let settings: PostgresLink.Settings
    private let root: String
    private let prefix: String
    /// For questions about schemas.
    private let control: PostgresConnection
    private let known = Mutex<[String: DatabaseFacts]>([:])

    /// - Parameters:
    ///   - url: of the database, as libpq takes it.
    ///   - root: the folder that paths of databases begin with: servers with different ones find the same schemas.
    ///   - prefix: what the names of schemas begin with.
    package init(url: String, root: String, prefix: String = "cumulus_") {
        settings = PostgresLink.Settings(url: url)
        self.root = root
        self.prefix = prefix
        control = PostgresConnection(settings, schema: "public")
    }

    private func schema(_ path: String) -> String { SchemaName.of(path, in: root, prefix: prefix) }

    package var answersAtOnce: Bool { false }

    package func openForWriting(_ path: String) throws -> any EngineConnection {
        let connection = PostgresConnection(
            settings, schema: schema(path), lock: "SELECT position FROM store FOR UPDATE")
        try connection.makeSchema()
        return connection
    }

    package func openForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(settings, schema: schema(path))
    }

    package func openCopy(_ path: String, readonly: Bool) throws -> any EngineConnection {
        PostgresConnection(settings, schema: schema(path))
    }

    package func openAccounts(_ path: String) throws -> any SQLPool {
        try PostgresPool(settings, schema: schema(path), lock: "SELECT value FROM revision FOR UPDATE")
    }

    package func openAccountsForReading(_ path: String) throws -> any EngineConnection {
        PostgresConnection(settings, schema: schema(path))
    }

    package func watchAccounts(_ path: String) throws -> any AccountsProbe {
        PostgresRevision(connection: PostgresConnection(settings, schema: schema(path)))
    }

    /// Asked once: a schema that has gone since refuses each statement by itself.
    package func facts(of path: String) -> DatabaseFacts? {
        let schema = schema(path)
        if let known = known.withLock({ $0[schema] }) { return known }
        let oid = try? control.use { db in
            try db.first("SELECT CAST(oid AS BIGINT) FROM pg_namespace WHERE nspname = ?", .text(schema)) {
                $0.integer(0)
            }
        }
        guard let oid = oid ?? nil else { return nil }
        let facts = DatabaseFacts(identity: (UInt64(oid), 0), isEmpty: false)
        known.withLock { $0[schema] = facts }
        return facts
    }

    /// The log is the server's.
    package func logBytes(of path: String) -> Int64 { 0 }

    package func copy(
        _ source: String, to path: String, _ report: @escaping (_ done: Int, _ total: Int) -> Void
    ) throws {
        let connection = PostgresConnection(settings, schema: schema(source))
        try connection.copySchema(to: schema(path), report)
        try connection.close()
    }
}
