import CloudModel
import GRDB

/// A place in the feed of a zone of another's. What became visible by joining a share all stands at the position of
/// the joining, numbered by where it would stand otherwise.
struct SharedPlace: Hashable, Comparable, Sendable {
    var position: Int64
    var number: Int64

    static let start = SharedPlace(position: 0, number: 0)

    static func < (left: SharedPlace, right: SharedPlace) -> Bool {
        (left.position, left.number) < (right.position, right.number)
    }
}

extension ZoneChangesRequest {
    /// The changes of what the caller sees of a zone: records of their shares, records that left those, and what they
    /// lost with a share they are no longer in (reference B §9.9).
    func shared(
        _ zone: ZoneRow, _ memberships: [Membership], _ db: Database, _ tokens: SyncTokens
    ) throws -> ZoneChangesPage {
        if reverse { throw ServerError.badRequest("reverse is not available in the shared database") }
        let seen = try place(zone, db, tokens)
        let feed = SharedFeed(
            zone: zone.id, user: caller.userRecordName ?? "", seen: seen,
            most: recordTypes == nil ? limit : Self.mostScanned, db: db)
        let desired = try desiredTypes(db)
        var page: [[UInt8]] = []
        var last: SharedPlace?
        let changes = try feed.changes(memberships)
        for (index, change) in changes.enumerated() {
            if page.count == limit || index == feed.most { break }
            last = change.place
            guard change.type == nil || desired?.contains(change.type ?? 0) ?? true else { continue }
            page.append(try ShareFilling.fill(change.body, record: change.record, for: caller, db))
        }
        let reached = last ?? (seen == .start ? Self.latest(memberships) : seen)
        let more = changes.last.map { $0.place > reached } ?? false
        return ZoneChangesPage(
            records: page, syncToken: tokens.sharedZone(zone.id, at: reached), moreComing: more)
    }

    private func place(_ zone: ZoneRow, _ db: Database, _ tokens: SyncTokens) throws -> SharedPlace {
        guard let syncToken else { return .start }
        let (joined, reached) =
            try db.first(
                """
                SELECT joined, (SELECT position FROM store) FROM shared_zones WHERE user = ? AND owner = ? AND name = ?
                """,
                .text(caller.userRecordName ?? ""), .text(self.zone.owner), .text(self.zone.name)
            ) { ($0.integer(0), $0.integer(1)) } ?? (Int64.max, 0)
        return try tokens.place(sharedZone: zone.id, joined: joined, reached: reached, syncToken)
    }

    private static func latest(_ memberships: [Membership]) -> SharedPlace {
        let joined = memberships.map(\.since).max() ?? 0
        return SharedPlace(position: joined, number: joined)
    }
}

/// What one user has to hear of a zone, from a place on.
private struct SharedFeed {
    let zone: Int64
    let user: String
    let seen: SharedPlace
    /// Changes asked of each source; one more tells that there are more.
    let most: Int
    let db: Database

    struct Change {
        let place: SharedPlace
        /// Nil for a deletion.
        let type: Int64?
        let body: [UInt8]
        let record: Int64
    }

    private var room: SQLValue { .integer(Int64(most + 1)) }

    /// The next changes of all sources in order. Each source is read from where it goes on, in its index.
    func changes(_ memberships: [Membership]) throws -> [Change] {
        var changes = try losses()
        for membership in memberships {
            changes += try joined(membership)
            changes += try later(membership)
            if !membership.isZoneWide { changes += try departed(membership) }
        }
        return changes.sorted { $0.place < $1.place }
    }

    /// What was there when the user joined. Deletions before that are of no account.
    private func joined(_ membership: Membership) throws -> [Change] {
        guard membership.since >= seen.position else { return [] }
        let from = membership.since == seen.position ? seen.number : 0
        return try records(membership, from, through: membership.since, liveOnly: true) {
            SharedPlace(position: membership.since, number: $0)
        }
    }

    private func later(_ membership: Membership) throws -> [Change] {
        try records(membership, max(seen.position, membership.since), through: .max, liveOnly: false) {
            SharedPlace(position: $0, number: $0)
        }
    }

    private func records(
        _ membership: Membership, _ after: Int64, through last: Int64, liveOnly: Bool, place: (Int64) -> SharedPlace
    ) throws -> [Change] {
        let (index, key, column) =
            membership.isZoneWide ? ("records_feed", "zone", "feed") : ("records_share", "share", "share_position")
        var changes: [Change] = []
        try db.each(
            """
            SELECT \(column), record_type, body, id FROM records INDEXED BY \(index)
            WHERE \(key) = ? AND \(column) > ? AND \(column) <= ?\(liveOnly ? " AND record_type IS NOT NULL" : "")
            ORDER BY \(column) LIMIT ?
            """,
            [.integer(membership.isZoneWide ? zone : membership.share), .integer(after), .integer(last), room]
        ) {
            changes.append(
                Change(
                    place: place($0.integer(0)), type: $0.isNull(1) ? nil : $0.integer(1), body: $0.blob(2),
                    record: $0.integer(3)))
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
            SELECT name, position, number FROM losses WHERE user = ? AND zone = ? AND (position, number) > (?, ?)
            ORDER BY position, number LIMIT ?
            """,
            [.text(user), .integer(zone), .integer(seen.position), .integer(seen.number), room])
    }

    private func deletions(_ sql: String, _ values: [SQLValue]) throws -> [Change] {
        var changes: [Change] = []
        try db.each(sql, values) {
            changes.append(
                Change(
                    place: SharedPlace(position: $0.integer(1), number: $0.integer(2)), type: nil,
                    body: RecordBody.tombstone($0.text(0)), record: 0))
            return true
        }
        return changes
    }
}
