import CloudEngine
import CloudModel
package import CloudSQL

/// Storage of an owner, counted in the transactions that change it. The public database's owner is `_defaultOwner`.
package struct Usage: Hashable, Sendable {
    package var bytes: Int64 = 0
    package var records: Int64 = 0
    /// Bytes of assets, counted by triggers once for each record that holds the asset.
    package var assets: Int64 = 0

    /// - Parameter row: bytes, records and assets.
    fileprivate init(row: SQLRow) {
        self.init(bytes: row.integer(0), records: row.integer(1), assets: row.integer(2))
    }

    package init(bytes: Int64 = 0, records: Int64 = 0, assets: Int64 = 0) {
        self.bytes = bytes
        self.records = records
        self.assets = assets
    }

    /// Adds records and bytes, but no assets.
    mutating func add(_ usage: Usage) {
        bytes += usage.bytes
        records += usage.records
    }
}

package enum UsageTable {
    static func add(_ usage: Usage, owner: String, _ db: SQLConnection) throws {
        try db.later(addition, [.text(owner), .integer(usage.bytes), .integer(usage.records)])
    }

    private static let addition = DeferredStatement(
        """
        INSERT INTO usage (owner, bytes, records) VALUES (?, ?, ?)
        ON CONFLICT (owner) DO UPDATE SET
            bytes = usage.bytes + excluded.bytes, records = usage.records + excluded.records
        """, rank: WriteRank.group)

    package static func forgetEmpty(owner: String, _ db: SQLConnection) throws {
        try db.run(
            "DELETE FROM usage WHERE owner = ? AND bytes = 0 AND records = 0 AND assets = 0", .text(owner))
    }

    package static func find(owner: String, _ db: SQLConnection) throws -> Usage {
        try db.first(
            "SELECT bytes, records, assets FROM usage WHERE owner = ?", .text(owner), read: Usage.init(row:)) ?? Usage()
    }

    static func total(_ db: SQLConnection) throws -> Usage {
        try db.first("SELECT bytes, records, assets FROM usage_total", read: Usage.init(row:)) ?? Usage()
    }
}
