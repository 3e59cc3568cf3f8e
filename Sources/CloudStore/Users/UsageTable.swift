import CloudModel
import CloudSQL

/// Storage of one owner, counted in the transactions that change it. The public database's owner is `_defaultOwner`.
package struct Usage: Hashable, Sendable {
    package var bytes: Int64 = 0
    package var records: Int64 = 0
}

enum UsageTable {
    static func add(_ usage: Usage, owner: String, _ db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO usage (owner, bytes, records) VALUES (?, ?, ?)
            ON CONFLICT (owner) DO UPDATE SET
                bytes = usage.bytes + excluded.bytes, records = usage.records + excluded.records
            """,
            .text(owner), .integer(usage.bytes), .integer(usage.records))
    }

    static func forgetEmpty(owner: String, _ db: SQLConnection) throws {
        try db.run("DELETE FROM usage WHERE owner = ? AND bytes = 0 AND records = 0", .text(owner))
    }

    static func find(owner: String, _ db: SQLConnection) throws -> Usage {
        try db.first("SELECT bytes, records FROM usage WHERE owner = ?", .text(owner)) {
            Usage(bytes: $0.integer(0), records: $0.integer(1))
        } ?? Usage()
    }

    static func total(_ db: SQLConnection) throws -> Usage {
        try db.first(
            "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT), CAST(COALESCE(SUM(records), 0) AS BIGINT) FROM usage"
        ) {
            Usage(bytes: $0.integer(0), records: $0.integer(1))
        } ?? Usage()
    }
}
