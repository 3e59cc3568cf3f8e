import CloudModel
import CloudSQL

/// Empties an environment: all records and dependent rows, subscriptions, record types and roles.
///
/// Custom zones are deleted like an owner's deletion, so clients learn of it. Key-value stores have no schema and stay.
struct SchemaReset {
    let transaction: WriteTransaction
    private var db: SQLConnection { transaction.db }

    func run() throws {
        for (row, zone) in try zones() {
            if zone.isCustom { try Zones.delete(zone, transaction) } else { try Zones.empty(zone, row, transaction) }
        }
        try SubscriptionTable.deleteAll(transaction)
        for table in transaction.catalog.stored.flatMap(SchemaTables.tables) { try DroppedTables.add(table, db) }
        for table in ["builds", "dropped_fields", "indexes", "fields", "record_types", "roles"] {
            try db.run("DELETE FROM \(table)")
        }
        // No user has a role any more, so role numbers restart, like production's.
        try db.dialect.upkeep.setLastID(0, of: "roles", db)
        try db.run("UPDATE store SET catalog_version = catalog_version + 1")
        try BuiltInTypes.ensure(db)
        try transaction.schema.reload()
    }

    private func zones() throws -> [(Int64, ZoneID)] {
        var zones: [(Int64, ZoneID)] = []
        try db.each("SELECT id, owner, name FROM zones WHERE deleted = 0", []) { row in
            zones.append((row.integer(0), ZoneID(name: row.text(2), owner: row.text(1))))
            return true
        }
        return zones
    }
}
