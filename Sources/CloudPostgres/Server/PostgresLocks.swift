import CloudEngine
import CloudSQL
import Synchronization

/// Advisory locks on a single connection, whose loss ends all locks.
final class PostgresLocks: EngineLocks {
    private static let answerTime = Duration.seconds(5)

    private let connection: PostgresConnection
    private let prefix: String
    /// Separates these locks from version 0.3, whose writes this version cannot detect.
    private static let version = " 2"

    /// The session in which each lock was taken.
    private let held = Mutex<[String: Int64]>([:])

    /// - Parameter prefix: the schema name prefix, which separates the locks of installations in one database.
    init(_ server: PostgresServer, prefix: String) {
        connection = PostgresConnection(server, schema: "public", givesWay: false, answerTime: Self.answerTime)
        self.prefix = prefix
    }

    func hold(_ name: String, shared: Bool) throws -> Bool {
        try connection.use { db in
            let session = try db.first(
                """
                SELECT CAST(extract(epoch FROM backend_start) * 1000000 AS BIGINT) FROM pg_stat_activity
                WHERE pid = pg_backend_pid()
                """
            ) { $0.integer(0) }
            guard let session else { return false }
            if held.withLock({ $0[name] }) == session { return true }
            guard try !isHeldByEarlierVersion(name, db) else { return false }
            let call = shared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
            let key = key(name + Self.version)
            let isTaken = try db.first("SELECT \(call)(?)", .integer(key)) { $0.bool(0) } ?? false
            if isTaken { held.withLock { $0[name] = session } }
            return isTaken
        }
    }

    /// True while a server of version 0.3 holds the lock. Briefly takes that version's lock to find out.
    private func isHeldByEarlierVersion(_ name: String, _ db: SQLConnection) throws -> Bool {
        try db.first("SELECT pg_try_advisory_xact_lock(?)", .integer(key(name))) { !$0.bool(0) } ?? true
    }

    private func key(_ name: String) -> Int64 { Int64(bitPattern: SchemaName.hash(prefix + name)) }
}
