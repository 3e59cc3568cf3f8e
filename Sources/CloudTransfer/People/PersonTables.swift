import CloudModel
import CloudSQL
import CloudStore

/// Reads and deletes a person's rows in an environment's database.
enum PersonTables {
    static func footprint(of user: String, _ db: SQLConnection) throws -> PersonFootprint {
        let count = { (sql: String) in
            try db.first("SELECT CAST(COALESCE((\(sql)), 0) AS BIGINT)", .text(user)) { Int($0.integer(0)) } ?? 0
        }
        let usage = try UsageTable.find(owner: user, db)
        let shares = "SELECT id FROM shares WHERE zone IN (SELECT id FROM zones WHERE owner = ?)"
        return PersonFootprint(
            zones: try count(
                "SELECT COUNT(*) FROM zones WHERE owner = ? AND deleted = 0 AND name <> '\(ZoneID.defaultName)'"),
            records: Int(usage.records), bytes: Int(usage.bytes), assetBytes: Int(usage.assets),
            shares: try count("SELECT COUNT(*) FROM (\(shares)) AS own"),
            shareMembers: try count("SELECT COUNT(*) FROM members WHERE share IN (\(shares))"),
            memberships: try count("SELECT COUNT(*) FROM members WHERE \"user\" = ?"),
            subscriptions: try count("SELECT COUNT(*) FROM subscriptions WHERE \"user\" = ?"),
            devices: try count("SELECT COUNT(*) FROM devices WHERE \"user\" = ?"),
            keys: try count("SELECT SUM(keys) FROM key_value_stores WHERE \"user\" = ?"))
    }

    /// Removes a person's data other than custom zones.
    static func removeBelongings(of user: String, _ transaction: WriteTransaction) throws {
        let db = transaction.db
        let standard = ZoneID(name: ZoneID.defaultName, owner: user)
        if let row = try transaction.zones.find(standard) { try Zones.empty(standard, row.id, transaction) }
        try SubscriptionTable.delete(user: user, transaction)
        if let store = try KeyValueTable.find(user: user, db) {
            try db.run("DELETE FROM key_values WHERE store = ?", .integer(store.id))
            try db.run("DELETE FROM key_value_stores WHERE id = ?", .integer(store.id))
            transaction.usage.add(bytes: -Int(store.bytes), records: 0, owner: user)
        }
        try CrowdMessages.settleAll(db)
        for table in ["devices", "shared_zones", "losses"] {
            try db.run("DELETE FROM \(table) WHERE \"user\" = ?", .text(user))
        }
        for table in ["page_settings", "page_items"] {
            try db.run("DELETE FROM \(table) WHERE owner = ?", .text(user))
        }
    }
}
