import CloudSQL
import CloudStore

/// Reads the accounts' revision, which whoever changes what is remembered raises in the same transaction.
struct PostgresRevision: AccountsProbe {
    let connection: PostgresConnection

    func current() throws -> Int64 {
        try connection.use { db in try db.first("SELECT value FROM revision") { $0.integer(0) } ?? 0 }
    }
}
