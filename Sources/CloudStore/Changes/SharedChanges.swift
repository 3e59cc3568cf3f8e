import CloudModel
import CloudSQL

extension ZoneChangesRequest {
    /// The changes of a partly visible zone: records of the caller's shares, records that left them, and records lost with a
    /// share that the caller left (reference B §9.9).
    func shared(
        _ zone: ZoneRow, _ memberships: [Membership], _ db: SQLConnection, _ tokens: SyncTokens
    ) throws -> ZoneChangesPage {
        if reverse {
            throw ServerError.badRequest("reverse is not available in the shared database", .place(.database))
        }
        let seen = try place(zone, db, tokens)
        let feed = SharedFeed(
            zone: zone.id, user: caller.userRecordName ?? "", seen: seen,
            most: recordTypes == nil ? limit : Self.mostScanned, db: db)
        let desired = try desiredTypes(db)
        let changes = try feed.changes(memberships)
        let scanned = changes.prefix(feed.most)
        let wanted = scanned.filter { $0.type.map { desired?.contains($0) ?? true } ?? true }.prefix(limit)
        var page: [RecordBody] = []
        try feed.bodies(of: wanted) { change, body in
            if allowance.isFull { return false }
            page.append(try counted(try ShareFilling.fillShared(body, record: change.record, for: caller, db)))
            return true
        }
        let isCut = page.count < wanted.count || wanted.count == limit
        let last = isCut ? wanted.prefix(page.count).last?.place : scanned.last?.place
        let nothing = seen == .start ? Self.edge(memberships, isBefore: !changes.isEmpty) : seen
        let reached = last ?? nothing
        let more = changes.last.map { $0.place > reached } ?? false
        return ZoneChangesPage(
            records: page, syncToken: try tokens.sharedZone(zone.id, at: reached, db), moreComing: more)
    }

    private func place(_ zone: ZoneRow, _ db: SQLConnection, _ tokens: SyncTokens) throws -> SharedPosition {
        guard let syncToken else { return .start }
        let joined =
            try db.first(
                "SELECT joined FROM shared_zones WHERE \"user\" = ? AND owner = ? AND name = ?",
                .text(caller.userRecordName ?? ""), .text(self.zone.owner), .text(self.zone.name)
            ) { $0.integer(0) } ?? Int64.max
        return try tokens.place(sharedZone: zone.id, joined: joined, syncToken, db)
    }

    /// The position before the first, or after the last, of the records that existed when the user joined.
    private static func edge(_ memberships: [Membership], isBefore: Bool) -> SharedPosition {
        let since = memberships.map(\.since)
        if isBefore { return SharedPosition(position: since.min() ?? 0, number: 0) }
        return SharedPosition(position: since.max() ?? 0, number: since.max() ?? 0)
    }
}

/// A user's changes of a partly visible zone, from a position on.
private struct SharedFeed {
    let zone: Int64
    let user: String
    let seen: SharedPosition
    /// The most changes per source; one more row tells whether more follow.
    let most: Int
    let db: SQLConnection

    struct Change {
        let place: SharedPosition
        /// Nil for a deletion.
        let type: Int64?
        let record: Int64
        /// The body of a deletion; nil for an existing record.
        var tombstone: RecordBody?
    }

    /// Calls `take` with each change's body until it returns false; reads only the bodies of these changes.
    func bodies(of changes: ArraySlice<Change>, take: (Change, RecordBody) throws -> Bool) throws {
        var rest = changes
        func takeDeletions() throws -> Bool {
            while let change = rest.first, let tombstone = change.tombstone {
                guard try take(change, tombstone) else { return false }
                rest.removeFirst()
            }
            return true
        }
        let records = changes.filter { $0.tombstone == nil }.map(\.record)
        guard try takeDeletions(), !records.isEmpty else { return }
        // The engine may return rows in another order: bodies wait here for their turn.
        var early: [Int64: RecordBody] = [:]
        try db.each(
            "SELECT r.body, r.id FROM json_each(?) j /*!CROSS*/ JOIN records r ON r.id = CAST(j.value AS BIGINT)",
            [.list(records)]
        ) { row in
            early[row.integer(1)] = try row.wholeRecord(0)
            while let change = rest.first, let body = early.removeValue(forKey: change.record) {
                rest.removeFirst()
                guard try take(change, body), try takeDeletions() else { return false }
            }
            return true
        }
    }

    private var room: SQLValue { .integer(Int64(most + 1)) }

    /// The next changes of all sources in order. Each source reads its index from its own position.
    func changes(_ memberships: [Membership]) throws -> [Change] {
        var changes = try losses()
        for membership in memberships {
            changes += try joined(membership)
            changes += try later(membership)
            if !membership.isZoneWide { changes += try departed(membership) }
        }
        return changes.sorted { $0.place < $1.place }
    }

    /// The records that existed when the user joined, without earlier deletions.
    private func joined(_ membership: Membership) throws -> [Change] {
        guard membership.since >= seen.position else { return [] }
        let from = membership.since == seen.position ? seen.number : 0
        return try records(membership, from, through: membership.since, liveOnly: true) {
            SharedPosition(position: membership.since, number: $0)
        }
    }

    private func later(_ membership: Membership) throws -> [Change] {
        try records(membership, max(seen.position, membership.since), through: .max, liveOnly: false) {
            SharedPosition(position: $0, number: $0)
        }
    }

    private func records(
        _ membership: Membership, _ after: Int64, through last: Int64, liveOnly: Bool, place: (Int64) -> SharedPosition
    ) throws -> [Change] {
        let (index, key, column) =
            membership.isZoneWide ? ("records_feed", "zone", "feed") : ("records_share", "share", "share_position")
        var changes: [Change] = []
        try db.each(
            """
            SELECT \(column), record_type, id FROM records /*!INDEXED BY \(index)*/
            WHERE \(key) = ? AND \(column) > ? AND \(column) <= ?\(liveOnly ? " AND record_type IS NOT NULL" : "")
            ORDER BY \(column) LIMIT ?
            """,
            [.integer(membership.isZoneWide ? zone : membership.share), .integer(after), .integer(last), room]
        ) {
            changes.append(
                Change(
                    place: place($0.integer(0)), type: $0.isNull(1) ? nil : $0.integer(1), record: $0.integer(2)))
            return true
        }
        return changes
    }

    private func departed(_ membership: Membership) throws -> [Change] {
        try deletions(
            "SELECT name, position, position FROM departures WHERE share = ? AND position > ? ORDER BY position LIMIT ?",
            [.integer(membership.share), .integer(max(seen.position, membership.since)), room])
    }

    private func losses() throws -> [Change] {
        try deletions(
            """
            SELECT name, position, number FROM losses WHERE "user" = ? AND zone = ? AND (position, number) > (?, ?)
            ORDER BY position, number LIMIT ?
            """,
            [.text(user), .integer(zone), .integer(seen.position), .integer(seen.number), room])
    }

    private func deletions(_ sql: String, _ values: [SQLValue]) throws -> [Change] {
        var changes: [Change] = []
        try db.each(sql, values) {
            changes.append(
                Change(
                    place: SharedPosition(position: $0.integer(1), number: $0.integer(2)), type: nil, record: 0,
                    tombstone: RecordBody.tombstone($0.text(0))))
            return true
        }
        return changes
    }
}
