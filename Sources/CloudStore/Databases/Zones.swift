package import CloudModel
import CloudSQL

/// A zone with its current sync token (reference A §2.2).
package struct ZoneState: Hashable, Sendable {
    package let zone: ZoneID
    package let syncToken: String
}

/// One operation of zones/modify (reference A §7.3).
package enum ZoneOperation: Hashable, Sendable {
    case create(ZoneID)
    case delete(ZoneID)

    var zone: ZoneID {
        switch self {
        case .create(let zone), .delete(let zone): zone
        }
    }
}

package enum Zones {
    /// All zones of an owner, the default zone first, even if the default zone was never written to.
    static func list(owner: String, tokens: SyncTokens, _ db: SQLConnection) throws -> [ZoneState] {
        let standard = ZoneID(name: ZoneID.defaultName, owner: owner)
        var zones = [try state(standard, tokens: tokens, db) ?? unwritten(standard, tokens: tokens, db)]
        let epochs = Epochs(try EpochTable.all(db))
        try db.each(
            "SELECT id, name, position FROM zones WHERE owner = ? AND deleted = 0 ORDER BY name", [.text(owner)]
        ) { row in
            let zone = ZoneID(name: row.text(1), owner: owner)
            guard zone.isCustom else { return true }
            zones.append(try state(zone, ZoneRow(id: row.integer(0), position: row.integer(2)), tokens, epochs))
            return true
        }
        return zones
    }

    /// The zone as the caller sees it; nil for an invisible zone.
    static func state(
        _ zone: ZoneID, for caller: Caller, tokens: SyncTokens, _ db: SQLConnection
    ) throws -> ZoneState? {
        if ZoneView.isOwn(zone, caller) { return try state(zone, tokens: tokens, db) }
        return try SharedZones.state(zone, for: caller, tokens: tokens, db)
    }

    static func state(_ zone: ZoneID, tokens: SyncTokens, _ db: SQLConnection) throws -> ZoneState? {
        if let row = try ZoneTable.find(zone, db) { return try state(zone, row, tokens, db) }
        return zone.isCustom ? nil : try unwritten(zone, tokens: tokens, db)
    }

    private static func state(
        _ zone: ZoneID, _ row: ZoneRow, _ tokens: SyncTokens, _ epochs: some EpochSource
    ) throws -> ZoneState {
        ZoneState(zone: zone, syncToken: try tokens.zone(row.id, at: .forward(row.position), epochs))
    }

    private static func unwritten(_ zone: ZoneID, tokens: SyncTokens, _ db: SQLConnection) throws -> ZoneState {
        ZoneState(zone: zone, syncToken: try tokens.zone(0, at: .start, db))
    }

    // MARK: Writing

    /// Creates a zone, or returns the existing one.
    static func create(
        _ zone: ZoneID, limits: Limits, tokens: SyncTokens, _ transaction: WriteTransaction
    ) throws -> ZoneState {
        guard zone.isCustom else {
            throw ServerError.badRequest(
                "zone '\(zone.name)' exists in every database and cannot be created", .taken(.zone))
        }
        if let fault = Naming.fault(zoneName: zone.name, limit: limits.zoneNameCharacters) {
            throw ServerError.badRequest(fault)
        }
        // Read the table, since the transaction's cached zone may have an old position.
        if let row = try ZoneTable.find(zone, transaction.db) { return try state(zone, row, tokens, transaction.db) }
        let count =
            try transaction.db.first(
                "SELECT count(*) FROM zones WHERE owner = ? AND deleted = 0 AND name <> ?",
                .text(zone.owner), .text(ZoneID.defaultName)
            ) { $0.integer(0) } ?? 0
        guard count < limits.zonesPerUser else {
            throw ServerError.badRequest(
                "there are \(count) zones, at most \(limits.zonesPerUser) are allowed",
                .limit(limits.zonesPerUser, "limit.zonesPerUser"))
        }
        let row = try ZoneTable.insert(zone, position: transaction.nextPosition(), transaction.db)
        transaction.zones.remember(row, zone)
        transaction.didChange(zone: row.id)
        return try state(zone, row, tokens, transaction.db)
    }

    /// Deletes a zone with its records, regardless of references (reference A §13.2).
    static func delete(_ zone: ZoneID, _ transaction: WriteTransaction) throws {
        guard zone.isCustom else { throw ServerError.badRequest("zone '\(zone.name)' cannot be deleted") }
        guard let row = try transaction.zones.find(zone) else {
            throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
        }
        let position = SQLValue.integer(try transaction.nextPosition())
        if try empty(zone, row.id, transaction) {
            try transaction.db.run(
                "UPDATE zones SET deleted = 1, position = ? WHERE id = ?", position, .integer(row.id))
        } else {
            try transaction.db.run(
                "INSERT INTO zones (owner, name, position, deleted) VALUES (?, ?, ?, 1)", .text(zone.owner),
                .text(zone.name), position)
        }
        try SubscriptionTable.delete(zone: row.id, transaction)
        transaction.didChange(zone: row.id)
        transaction.zones.forget(zone)
    }

    /// Deletes a zone's records without leaving tombstones in its feed. With too many records for one transaction, drops the
    /// zone's row instead, to be emptied later.
    ///
    /// - Returns: true if the row still belongs to the zone.
    @discardableResult
    package static func empty(_ zone: ZoneID, _ row: Int64, _ transaction: WriteTransaction) throws -> Bool {
        let db = transaction.db
        try MemberTable.clear(zone: row, transaction)
        try ShareTable.delete(zone: row, db)
        try CascadeTable.removeAll(zone: row, db)
        let id = SQLValue.integer(row)
        let most = transaction.bounds.deletionsLeft
        let count = try db.first(
            "SELECT count(*) FROM (SELECT 1 FROM records WHERE zone = ? LIMIT ?) AS part", id,
            .integer(Int64(min(most, 1 << 32) + 1))
        ) { Int($0.integer(0)) }
        guard let count, count <= most else {
            try DroppedZones.add(row, transaction)
            transaction.zones.forget(zone)
            return false
        }
        transaction.bounds.spendDeletions(count)
        let stored = try db.first(
            "SELECT COALESCE(SUM(length(body)), 0), COUNT(*) FROM records WHERE zone = ? AND record_type IS NOT NULL",
            id
        ) { Usage(bytes: $0.integer(0), records: $0.integer(1)) }
        if let stored {
            transaction.usage.add(bytes: -Int(stored.bytes), records: -Int(stored.records), owner: zone.owner)
        }
        for table in transaction.catalog.stored.flatMap(SchemaTables.tables) {
            try db.run("DELETE FROM \(table) WHERE zone = ?", id)
        }
        try AssetTable.forget(zone: row, db)
        try transaction.words.removeAll(ofZone: row)
        try LocationTable.delete(zone: row, db)
        try db.run("DELETE FROM elements WHERE record IN (SELECT id FROM records WHERE zone = ?)", id)
        try db.run("DELETE FROM record_references WHERE zone = ?", id)
        try db.run("DELETE FROM records WHERE zone = ?", id)
        return true
    }
}
