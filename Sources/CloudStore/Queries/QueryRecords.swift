package import CloudModel
import Crypto
import GRDB

/// records/query, decoded (reference A §5).
package struct QueryRequest: Sendable {
    /// Where to look: one zone, or all zones of the owner of this one, or all that others share with the caller.
    package let zone: ZoneID
    package let zoneWide: Bool
    package let isShared: Bool
    package let query: Query
    package let continuationMarker: String?
    package let limit: Int
    /// Refuse what the schema does not mark as indexed.
    package let strict: Bool
    package let caller: Caller
    package let limits: Limits
    /// They change how long the answer takes, not what it is.
    package var thresholds = QueryThresholds()

    package init(
        zone: ZoneID, zoneWide: Bool, isShared: Bool = false, query: Query, continuationMarker: String?, limit: Int,
        strict: Bool,
        caller: Caller, limits: Limits
    ) {
        self.zone = zone
        self.zoneWide = zoneWide
        self.isShared = isShared
        self.query = query
        self.continuationMarker = continuationMarker
        self.limit = limit
        self.strict = strict
        self.caller = caller
        self.limits = limits
    }
}

/// One page of a query's records, stored forms, and where the next begins; nil when this is the last.
package struct QueryPage: Sendable {
    package let records: [[UInt8]]
    package let continuationMarker: String?
}

extension QueryRequest {
    func run(
        _ db: Database, _ cache: StatementCache, catalog: Catalog, roles: RoleMemory.Reader, secret: SymmetricKey
    ) throws -> QueryPage {
        let zones = try QueryZones(self, db)
        let resolved = try ResolvedQuery(
            query, catalog: catalog, strict: strict, zone: zone, zoneWide: zoneWide, limits: limits)
        let creator = try readableCreator(resolved.type.grants, CallerRoles(catalog, roles, db))
        if let unbuilt = resolved.unbuilt { throw try IndexBuilds.refusal(unbuilt, of: resolved.type, db) }
        let marks = QueryMarkers(secret: secret) {
            // Nobody who is signed in has an empty name.
            let user = caller.userRecordName ?? ""
            return "\(user)|\(zone.owner)|\(zone.name)|\(zoneWide)|\(isShared)|\(resolved.fingerprint)"
        }
        let plan = try QueryPlan(
            resolved, zones: zones, zoneWide: zoneWide, creator: creator, thresholds: thresholds, db, cache)
        let resume = try continuationMarker.map { try marks.read($0, keys: plan.order.count) }
        var records: [[UInt8]] = []
        var last: QueryMarkers.Place?
        var more = false
        for statement in plan.statements(after: resume) {
            let room = limit - records.count
            try db.each(statement.sql, statement.values + [.integer(Int64(room + 1))], cache: cache) { row in
                if records.count == limit {
                    more = true
                    return false
                }
                let body = row.blob(0)
                records.append(
                    RecordBody.hasReaderMark(body) ? try filled(body, at: plan.place(of: row), db) : body)
                if records.count == limit { last = plan.place(of: row) }
                return true
            }
            if more { break }
        }
        return QueryPage(records: records, continuationMarker: more ? last.map(marks.make) : nil)
    }

    /// Every place ends with the record's row id.
    private func filled(_ body: [UInt8], at place: QueryMarkers.Place, _ db: Database) throws -> [UInt8] {
        guard case .integer(let record)? = place.last else { return body }
        return try ShareFilling.fill(body, record: record, for: caller, db)
    }

    /// Nil when every record may be read; a user record name when only that user's own may (reference A §12).
    private func readableCreator(_ grants: Grants, _ roles: CallerRoles) throws -> String? {
        guard zone.owner == ZoneID.publicOwner else { return nil }
        guard let refusal = try roles.refusal(.read, grants, to: caller, creator: nil) else { return nil }
        if let user = caller.userRecordName, try roles.allow(.read, grants, to: caller, creator: user) { return user }
        throw refusal
    }
}
