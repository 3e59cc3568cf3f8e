package import CloudModel
import CloudSQL

/// The changes of one zone, as records/changes and changes/zone ask for them (reference A §8.2, §8.3).
package struct ZoneChangesRequest: Sendable {
    package let zone: ZoneID
    package let caller: Caller
    package let syncToken: String?
    package let limit: Int
    /// Nil means all types. Tombstones have none, and come always.
    package let recordTypes: Set<String>?
    /// Newest first.
    package let reverse: Bool
    /// Makes what is answered of a stored form, while it is read.
    package var show: @Sendable (RecordBody) throws -> RecordBody = { $0 }
    /// A zone that finds it full answers with nothing, and that more is coming.
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
    /// Live records as the request shows them, and tombstones.
    package let records: [RecordBody]
    package let syncToken: String
    package let moreComing: Bool
}

extension ZoneChangesRequest {
    /// Rows looked at for one page; a page that finds few of the desired types ends early, with more coming.
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
        // A first synchronisation need not hear of what was deleted before it.
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
        // Once at the floor, what comes next is whatever changed since the walk began.
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

    /// A stored form, filled in, as the request wants it, counted.
    func counted(_ body: RecordBody) throws -> RecordBody {
        let shown = try show(body)
        try allowance.take(shown.size)
        return shown
    }

    /// Read from the snapshot itself: a type the caller's schema does not have yet must not be passed over.
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
