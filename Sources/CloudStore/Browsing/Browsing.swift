import CloudModel
import CloudSQL

/// The reads of ``BrowseStore``. Each follows a key of its table, so all pages cost the same.
enum Browsing {
    static func owners(after name: String, limit: Int, _ db: SQLConnection) throws -> [StoredOwner] {
        try db.all(
            "SELECT owner, bytes, records FROM usage WHERE owner > ? AND owner <> ? ORDER BY owner LIMIT ?",
            .text(name), .text(ZoneID.publicOwner), .integer(Int64(limit))
        ) {
            StoredOwner(
                userRecordName: $0.text(0), usage: Usage(bytes: $0.integer(1), records: $0.integer(2)))
        }
    }

    static func recordCounts(
        in zone: ZoneID, for caller: Caller, most: Int, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> [StoredTypeCount] {
        guard let view = try ZoneView.find(zone, for: caller, db) else {
            guard ZoneView.isOwn(zone, caller) else {
                throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
            }
            return []
        }
        if let memberships = view.memberships, !memberships.contains(where: \.isZoneWide) {
            return try sharedCounts(memberships.map(\.share), most: most, catalog, db)
        }
        let zone = view.row
        return try catalog.types.values.sorted { $0.name < $1.name }.compactMap { type in
            let found = try db.first(
                "SELECT COUNT(*) FROM (SELECT 1 FROM \(SchemaTables.table(type)) WHERE zone = ? LIMIT ?) AS counted",
                .integer(zone.id), .integer(Int64(most) + 1)
            ) { Int($0.integer(0)) }
            guard let found, found > 0 else { return nil }
            return StoredTypeCount(type: type.name, count: min(found, most), isCut: found > most)
        }
    }

    /// Counts the records of shares by type, among at most ten times `most` records.
    private static func sharedCounts(
        _ shares: [Int64], most: Int, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> [StoredTypeCount] {
        let (shared, walk) = (QueryConditions.oneOf("share", shares.map(SQLValue.integer)), Int64(most) * 10)
        var counts: [(type: String, count: Int)] = []
        try db.each(
            """
            SELECT record_type, COUNT(*) FROM (
                SELECT record_type FROM records /*!INDEXED BY records_share*/
                WHERE \(shared.sql) AND record_type IS NOT NULL LIMIT ?
            ) AS seen GROUP BY record_type
            """, shared.values + [.integer(walk)], isMadeToOrder: true
        ) { row in
            if let type = catalog.type(id: row.integer(0)), !catalog.isRemoved(type: row.integer(0)) {
                counts.append((type.name, Int(row.integer(1))))
            }
            return true
        }
        let isCut = counts.reduce(0) { $0 + $1.count } >= walk
        return counts.sorted { $0.type < $1.type }.map {
            StoredTypeCount(type: $0.type, count: min($0.count, most), isCut: isCut || $0.count > most)
        }
    }

    static func referrers(
        of name: String, in zone: ZoneID, limit: Int, _ db: SQLConnection
    ) throws -> [StoredReferrer] {
        guard let zone = try ZoneTable.find(zone, db) else { return [] }
        return try db.all(
            """
            SELECT r.name, t.name, l.kind FROM record_references l /*!CROSS*/ JOIN records r ON r.id = l.source
            /*!CROSS*/ JOIN record_types t ON t.id = r.record_type
            WHERE l.zone = ? AND l.target = ? ORDER BY l.kind, l.source LIMIT ?
            """, .integer(zone.id), .text(name), .integer(Int64(limit))
        ) { row in
            let kind: StoredReferrer.Kind =
                switch ReferenceKind(rawValue: row.integer(2)) {
                case .deleteSelf: .deleteSelf
                case .validate: .validate
                case .parent, nil: .parent
                }
            return StoredReferrer(recordName: row.text(0), recordType: row.text(1), kind: kind)
        }
    }

    static func shares(after id: Int64, limit: Int, _ db: SQLConnection) throws -> [StoredShare] {
        try db.all(
            shares + " WHERE s.id > ? ORDER BY s.id LIMIT ?", .integer(id), .integer(Int64(limit)), read: readShare)
    }

    private static let shares = """
        SELECT s.id, z.owner, z.name, s.short_guid, r.name, root.name, r.body, s.state FROM shares s
        /*!CROSS*/ JOIN zones z ON z.id = s.zone /*!CROSS*/ JOIN records r ON r.id = s.record
        LEFT JOIN records root ON root.id = s.root
        """

    private static func readShare(_ row: SQLRow) throws -> StoredShare {
        guard let state = ShareState(stored: row.blob(7)) else {
            throw SQLError(.damaged, "share \(row.integer(0)) is damaged")
        }
        let title = try row.record(6).json()["fields"]?.object?["cloudkit.title"]?.object?["value"]?.string
        return StoredShare(
            id: row.integer(0), zone: ZoneID(name: row.text(2), owner: row.text(1)), shortGUID: row.text(3),
            recordName: row.text(4), root: row.optionalText(5), title: title, state: state)
    }

    /// A record's relations within its zone; nil for a missing record.
    static func surroundings(
        of name: String, in zone: ZoneID, most: Int, _ db: SQLConnection
    ) throws -> RecordSurroundings? {
        guard let zone = try ZoneTable.find(zone, db) else { return nil }
        let row = try db.first(
            "SELECT feed, share FROM records WHERE zone = ? AND name = ? AND record_type IS NOT NULL",
            .integer(zone.id), .text(name)
        ) { (feed: $0.optionalInteger(0), share: $0.optionalInteger(1)) }
        guard let row else { return nil }
        let later = try row.feed.map { feed in
            try db.first(
                """
                SELECT COUNT(*) FROM (
                    SELECT 1 FROM records /*!INDEXED BY records_feed*/ WHERE zone = ? AND feed > ? LIMIT ?
                ) AS counted
                """, .integer(zone.id), .integer(feed), .integer(Int64(most) + 1)
            ) { Int($0.integer(0)) } ?? 0
        }
        let share =
            try row.share.map { try db.first(shares + " WHERE s.id = ?", .integer($0), read: readShare) }
            ?? db.first(shares + " WHERE s.zone = ? AND s.root IS NULL", .integer(zone.id), read: readShare)
        return RecordSurroundings(
            laterChanges: later, goesAlong: try goingAlong(with: name, zone: zone.id, most: most, db), share: share)
    }

    /// The DELETE_SELF dependents of a record, on all levels; a name beyond `most` shows that there are more.
    private static func goingAlong(
        with name: String, zone: Int64, most: Int, _ db: SQLConnection
    ) throws -> [String] {
        var (names, visited): ([String], Int) = ([name], 0)
        // Names are compared by bytes.
        var seen: Set<[UInt8]> = [Array(name.utf8)]
        while visited < names.count, names.count <= most + 1 {
            let holders = try db.all(
                """
                SELECT r.name FROM record_references l /*!CROSS*/ JOIN records r ON r.id = l.source
                WHERE l.zone = ? AND l.target = ? AND l.kind = ? LIMIT ?
                """, .integer(zone), .text(names[visited]), .integer(ReferenceKind.deleteSelf.rawValue),
                .integer(Int64(most) + 2)
            ) { $0.text(0) }
            names += holders.filter { seen.insert(Array($0.utf8)).inserted }
            visited += 1
        }
        return Array(names.dropFirst().prefix(most + 1))
    }

    static func subscriptions(after id: Int64, limit: Int, _ db: SQLConnection) throws -> [StoredSubscription] {
        try db.all(
            "SELECT id, \"user\", scope, body FROM subscriptions WHERE id > ? ORDER BY id LIMIT ?", .integer(id),
            .integer(Int64(limit))
        ) { row in
            let scope = DatabaseScope.allCases.first { $0.number == row.integer(2) } ?? .private
            return StoredSubscription(id: row.integer(0), userRecordName: row.text(1), scope: scope, body: row.blob(3))
        }
    }

    /// Devices only: webhooks have rows in the same table, with negative tokens.
    static func devices(after id: Int64, limit: Int, _ db: SQLConnection) throws -> [StoredDevice] {
        let crowd = try CrowdMessages.waiting(db)
        return try db.all(
            """
            SELECT id, "user", client_id, queued, expires, (
                SELECT created FROM notifications WHERE device = devices.id AND is_delivered = 0 ORDER BY id LIMIT 1
            ) FROM devices WHERE id > ? AND token > 0 ORDER BY id LIMIT ?
            """, .integer(id), .integer(Int64(limit))
        ) {
            let message = crowd[$0.integer(0)]
            return StoredDevice(
                id: $0.integer(0), userRecordName: $0.text(1), clientID: $0.optionalText(2),
                queued: Int($0.integer(3)) + (message == nil ? 0 : 1),
                waitingSince: $0.optionalTimestamp(5) ?? message, expires: $0.timestamp(4))
        }
    }
}
