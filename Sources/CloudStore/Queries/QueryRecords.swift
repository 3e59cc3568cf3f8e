package import CloudModel
import CloudCrypto
import CloudSQL

/// records/query, decoded (reference A §5).
package struct QueryRequest: Sendable {
    /// The zones to look in: one zone, or all zones of the owner of this one, or all that others share with the caller.
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
    /// Leaves out records that hold no files.
    package var onlyWithFiles = false
    /// They change how long the answer takes, not what it is.
    package var thresholds = QueryThresholds()
    /// Makes what is answered of a stored form, while it is read.
    package var show: @Sendable (RecordBody) throws -> RecordBody = { $0 }
    package var allowance = ResponseAllowance()
    package var trace: RequestTrace?

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

/// One page of a query's records, as the request shows them, and where the next begins; nil when this is the last.
package struct QueryPage: Sendable {
    package let records: [RecordBody]
    package let continuationMarker: String?
}

extension QueryRequest {
    /// - Parameters:
    ///   - scans: whether it looks at many records where an index is missing or being built.
    ///   - onMissing: called with the indexes that would make it cheaper, before it looks at any record.
    /// - Throws: ``LacksIndex`` in place of looking at many records.
    func run(
        _ db: SQLConnection, catalog: Catalog, roles: RoleMemory.Reader, secret: SymmetricKey, scans: Bool = true,
        onMissing: (MissingIndexes) -> Void = { _ in }
    ) throws -> QueryPage {
        let zones = try QueryZones(self, db)
        let resolved = try ResolvedQuery(
            query, catalog: catalog, strict: strict, zone: zone, zoneWide: zoneWide, limits: limits)
        let creator = try readableCreator(resolved.type, CallerRoles(catalog, roles, db, trace))
        if let unbuilt = resolved.unbuilt { throw try IndexBuilds.refusal(unbuilt, of: resolved.type, db) }
        let marks = QueryMarkers(secret: secret) {
            // Nobody who is signed in has an empty name.
            let user = caller.userRecordName ?? ""
            return "\(user)|\(zone.owner)|\(zone.name)|\(zoneWide)|\(isShared)|\(resolved.fingerprint)"
        }
        let plan = try QueryPlan(
            resolved, zones: zones, zoneWide: zoneWide, creator: creator, onlyWithFiles: onlyWithFiles,
            thresholds: thresholds, db)
        if plan.lacksIndex, !scans { throw LacksIndex(resolved, plan.missing) }
        trace?.note(.index(type: resolved.type.name, lead: plan.leader, marks: resolved.usedMarks))
        if !strict, let trace, let fault = resolved.faultInProduction { trace.note(.refusedInProduction(fault)) }
        if !plan.missing.isEmpty { onMissing(plan.missing) }
        let isOwn = !isShared && ZoneView.isOwn(zone, caller)
        let resume = try continuationMarker.map { try marks.read($0, keys: plan.order.count) }
        var records: [RecordBody] = []
        var last: QueryMarkers.Place?
        var more = false
        var isFull = false
        for statement in plan.statements(after: resume) {
            let room = plan.asides.isEmpty ? Int64(limit - records.count + 1) : Int64.max
            try db.each(statement.sql, statement.values + [.integer(room)], isMadeToOrder: true) { row in
                guard try isFound(try row.wholeRecord(0), by: plan.asides, resolved.type) else { return true }
                if isFull {
                    more = true
                    return false
                }
                let body = try row.wholeRecord(0)
                let shown = try show(
                    isOwn && !body.hasReaderPlaceholder
                        ? body : try filled(body, at: plan.place(of: row), isOwn: isOwn, db))
                try allowance.take(shown.size)
                records.append(shown)
                isFull = records.count == limit || allowance.isFull
                if isFull { last = plan.place(of: row) }
                return true
            }
            if more { break }
        }
        return QueryPage(records: records, continuationMarker: more ? last.map(marks.make) : nil)
    }

    /// Returns true if the searches find the record by its own words.
    private func isFound(
        _ body: @autoclosure () throws -> RecordBody, by searches: [ResolvedQuery.Search], _ type: RecordType
    ) throws -> Bool {
        guard !searches.isEmpty else { return true }
        var words = RecordWords(try body().json(), of: type)
        return searches.allSatisfy { words.matches($0) }
    }

    /// Every place ends with the record's row id.
    private func filled(
        _ body: RecordBody, at place: QueryMarkers.Place, isOwn: Bool, _ db: SQLConnection
    ) throws -> RecordBody {
        guard case .integer(let record)? = place.last else { return body }
        guard isOwn else { return try ShareFilling.fillShared(body, record: record, for: caller, db) }
        return try ShareFilling.fill(body, record: record, for: caller, db)
    }

    /// Nil when every record may be read; a user record name when only that user's own may (reference A §12).
    private func readableCreator(_ type: RecordType, _ roles: CallerRoles) throws -> String? {
        guard zone.owner == ZoneID.publicOwner else { return nil }
        let grants = type.grants
        guard let refusal = try roles.refusal(.read, grants, to: caller, creator: nil, type: type.name) else {
            return nil
        }
        if let user = caller.userRecordName, try roles.allow(.read, grants, to: caller, creator: user) { return user }
        throw refusal
    }
}
