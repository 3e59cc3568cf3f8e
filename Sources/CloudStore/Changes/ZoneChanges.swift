package import CloudModel
import CloudSQL

/// The changes of one zone, for records/changes and changes/zone (reference A §8.2, §8.3).
package struct ZoneChangesRequest: Sendable {
    package let zone: ZoneID
    package let caller: Caller
    package let syncToken: String?
    package let limit: Int
    /// Nil for all types. Tombstones have no type and are always returned.
    package let recordTypes: Set<String>?
    /// Newest changes first.
    package let reverse: Bool
    /// Transforms each stored record for the response, during the read.
    package var show: @Sendable (RecordBody) throws -> RecordBody = { $0 }
    /// A zone that finds the allowance full returns no records and `moreComing`.
    package var allowance = ResponseAllowance()

    package init(
        zone: ZoneID, caller: Caller, syncToken: String?, limit: Int, recordTypes: Set<String>?, reverse: Bool
    ) {
        self.zone = zone
        self.caller = caller
        self.syncToken = syncToken
        self.limit = limit
        self.recordTypes = recordTypes
        self.reverse = reverse
    }
}

/// A page of a zone's changes: each changed record once, in its latest state.
package struct ZoneChangesPage: Sendable {
    /// Live records as transformed by the request, and tombstones.
    package let records: [RecordBody]
    package let syncToken: String
    package let moreComing: Bool
}

extension ZoneChangesRequest {
    /// The most rows to read per page; a page with few desired types ends early, with `moreComing`.
    static let mostScanned = 5_000

    func run(_ db: SQLConnection, tokens: SyncTokens) throws -> ZoneChangesPage {
        guard zone.isCustom else {
            throw ServerError.badRequest("cannot get changes in default zone", .place(.database))
        }
        guard let view = try ZoneView.find(zone, for: caller, db) else {
            throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
        }
        if let memberships = view.memberships { return try shared(view.row, memberships, db, tokens) }
        let row = view.row
        let position = try syncToken.map { try tokens.position(zone: row.id, $0, db) } ?? .start
        switch position {
        case .forward(let floor) where reverse:
            return try backward(.init(floor: floor, cursor: .max, head: row.position), row.id, db, tokens)
        case .forward(let seen):
            return try forward(seen, row, db, tokens)
        case .backward(let floor, let cursor, let head):
            return try backward(.init(floor: floor, cursor: cursor, head: head), row.id, db, tokens)
        }
    }

    private func forward(
        _ seen: Int64, _ zone: ZoneRow, _ db: SQLConnection, _ tokens: SyncTokens
    ) throws -> ZoneChangesPage {
        // A first sync skips tombstones.
        let scan = try scan(
            """
            SELECT feed, record_type, body, id FROM records WHERE zone = ? AND feed > ?\(seen == 0 ? liveOnly : "")
            ORDER BY feed LIMIT ?
            """,
            [.integer(zone.id), .integer(seen)], db)
        let reached = scan.more ? scan.last ?? seen : max(seen, zone.position)
        return ZoneChangesPage(
            records: scan.bodies, syncToken: try tokens.zone(zone.id, at: .forward(reached), db), moreComing: scan.more)
    }

    private struct Walk {
        let floor: Int64
        let cursor: Int64
        let head: Int64
    }

    private func backward(
        _ walk: Walk, _ id: Int64, _ db: SQLConnection, _ tokens: SyncTokens
    ) throws -> ZoneChangesPage {
        let scan = try scan(
            """
            SELECT feed, record_type, body, id FROM records
            WHERE zone = ? AND feed > ? AND feed < ? AND feed <= ?\(walk.floor == 0 ? liveOnly : "")
            ORDER BY feed DESC LIMIT ?
            """,
            [.integer(id), .integer(walk.floor), .integer(walk.cursor), .integer(walk.head)], db)
        // At the floor, the next page has the changes since the walk began.
        let next: ChangePosition =
            if scan.more {
                .backward(floor: walk.floor, cursor: scan.last ?? walk.cursor, head: walk.head)
            } else {
                .forward(max(walk.head, walk.floor))
            }
        return ZoneChangesPage(
            records: scan.bodies, syncToken: try tokens.zone(id, at: next, db), moreComing: scan.more)
    }

    private var liveOnly: String { " AND record_type IS NOT NULL" }

    private func scan(
        _ sql: String, _ values: [SQLValue], _ db: SQLConnection
    ) throws -> (bodies: [RecordBody], last: Int64?, more: Bool) {
        let desired = try desiredTypes(db)
        var bodies: [RecordBody] = []
        var last: Int64?
        var scanned = 0
        var more = false
        try db.each(sql, values + [.integer(Int64(Self.mostScanned + 1))]) { row in
            if bodies.count == limit || scanned == Self.mostScanned || allowance.isFull {
                more = true
                return false
            }
            scanned += 1
            last = row.integer(0)
            if row.isNull(1) || desired?.contains(row.integer(1)) ?? true {
                bodies.append(
                    try counted(try ShareFilling.fill(row.wholeRecord(2), record: row.integer(3), for: caller, db)))
            }
            return true
        }
        return (bodies, last, more)
    }

    /// Transforms a filled-in record for the response, and counts its bytes.
    func counted(_ body: RecordBody) throws -> RecordBody {
        let shown = try show(body)
        try allowance.take(shown.size)
        return shown
    }

    /// Reads the snapshot's own types: the caller's cached schema may lack new types.
    func desiredTypes(_ db: SQLConnection) throws -> Set<Int64>? {
        guard let recordTypes else { return nil }
        var ids: Set<Int64> = []
        try db.each("SELECT id, name FROM record_types", []) { row in
            if recordTypes.contains(row.text(1)) { ids.insert(row.integer(0)) }
            return true
        }
        return ids
    }
}
