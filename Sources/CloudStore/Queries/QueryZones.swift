import CloudModel
import CloudSQL

/// The zones of a query: whole zones, and shares that make single records visible.
struct QueryZones: Hashable {
    var whole: [Int64] = []
    /// Zones in which the caller sees only some records.
    var partial: [Int64] = []
    var shares: [Int64] = []

    var all: [Int64] { (whole + partial).sorted() }

    init(whole: [Int64]) { self.whole = whole }

    /// - Throws: `ZONE_NOT_FOUND` for a single zone that the caller cannot see.
    init(_ request: QueryRequest, _ db: SQLConnection) throws {
        if request.zoneWide {
            if request.isShared { try addShared(with: request.caller, db) } else { try addOwn(request.zone.owner, db) }
        } else if let view = try ZoneView.find(request.zone, for: request.caller, db) {
            add(view)
        } else if request.zone.isCustom {
            throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
        }
    }

    private mutating func add(_ view: ZoneView) {
        guard let memberships = view.memberships, !memberships.contains(where: \.isZoneWide) else {
            whole.append(view.row.id)
            return
        }
        partial.append(view.row.id)
        shares += memberships.map(\.share)
    }

    private mutating func addOwn(_ owner: String, _ db: SQLConnection) throws {
        try db.each("SELECT id FROM zones WHERE owner = ? AND deleted = 0 ORDER BY id", [.text(owner)]) {
            whole.append($0.integer(0))
            return true
        }
    }

    private mutating func addShared(with caller: Caller, _ db: SQLConnection) throws {
        try db.each(
            "SELECT zone, share, is_zone_wide FROM members WHERE \"user\" = ? ORDER BY zone",
            [.text(caller.userRecordName ?? "")]
        ) {
            if $0.integer(2) != 0 {
                whole.append($0.integer(0))
            } else {
                if partial.last != $0.integer(0) { partial.append($0.integer(0)) }
                shares.append($0.integer(1))
            }
            return true
        }
    }

    /// The condition for a visible record `r` within the zones; nil if all their records are visible.
    var visibility: QueryCondition? {
        guard !partial.isEmpty else { return nil }
        let shared = QueryConditions.oneOf("r.share", shares.map(SQLValue.integer))
        guard !whole.isEmpty else { return shared }
        let inWhole = QueryConditions.oneOf("v.zone", whole.map(SQLValue.integer))
        return QueryCondition(sql: "(\(inWhole.sql) OR \(shared.sql))", values: inWhole.values + shared.values)
    }

    /// The number of visible records, up to a limit; nil if any zone is wholly visible.
    func visibleCount(upTo limit: Int, _ db: SQLConnection) throws -> Int? {
        guard whole.isEmpty, !partial.isEmpty else { return nil }
        let shared = QueryConditions.oneOf("share", shares.map(SQLValue.integer))
        var count = 0
        try db.each(
            "SELECT count(*) FROM (SELECT 1 FROM records /*!INDEXED BY records_share*/ WHERE \(shared.sql) LIMIT ?) AS part",
            shared.values + [.integer(Int64(limit))], isMadeToOrder: true
        ) {
            count = Int($0.integer(0))
            return false
        }
        return count
    }
}
