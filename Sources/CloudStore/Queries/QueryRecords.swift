package import CloudModel
import CloudCrypto
import CloudSQL

/// A decoded records/query request (reference A §5).
package struct QueryRequest: Sendable {
    /// The zone to search; with `zoneWide`, all zones of its owner; with `isShared` too, all zones shared with the caller.
    package let zone: ZoneID
    package let zoneWide: Bool
    package let isShared: Bool
    package let query: Query
    package let continuationMarker: String?
    package let limit: Int
    /// Refuse fields that the schema does not mark as indexed.
    package let strict: Bool
    package let caller: Caller
    package let limits: Limits
    /// Excludes records without files.
    package var onlyWithFiles = false
    /// Affects the duration of a query, never its result.
    package var thresholds = QueryThresholds()
    /// Transforms each stored record for the response, during the read.
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

/// One page of a query's records as transformed by the request; the marker is nil on the last page.
package struct QueryPage: Sendable {
    package let records: [RecordBody]
    package let continuationMarker: String?
}

extension QueryRequest {
    /// - Parameters:
    ///   - outlines: cached plans of similar queries.
    ///   - scans: true to allow a scan of many records while an index is missing or being built.
    ///   - onMissing: called with missing indexes before any record is read.
    /// - Throws: ``LacksIndex`` instead of a scan, unless `scans` is true.
    func run(
        _ db: SQLConnection, catalog: Catalog, roles: RoleMemory.Reader, secret: SymmetricKey,
        outlines: QueryOutlines = QueryOutlines(), scans: Bool = true, onMissing: (MissingIndexes) -> Void = { _ in }
    ) throws -> QueryPage {
        let zones = try QueryZones(self, db)
        let roles = zone.owner == ZoneID.publicOwner ? CallerRoles(catalog, roles, db, trace) : nil
        let prepared =
            try outlined(zones, outlines, catalog, roles)
            ?? prepared(zones, catalog, roles, secret, outlines, scans: scans, onMissing: onMissing, db)
        return try page(prepared, db) { markers(of: try prepared.resolved ?? resolved(catalog), secret) }
    }

    private func page(
        _ query: PreparedQuery, _ db: SQLConnection, markers: () throws -> QueryMarkers
    ) throws -> QueryPage {
        let isOwn = !isShared && ZoneView.isOwn(zone, caller)
        var records: [RecordBody] = []
        var last: QueryMarkers.SortKeys?
        var more = false
        var isFull = false
        for statement in query.statements {
            let room = query.asides.isEmpty ? Int64(limit - records.count + 1) : Int64.max
            try db.each(statement.sql, statement.values + [.integer(room)], isMadeToOrder: true) { row in
                let place = { (1...query.places).map(row.value) }
                guard try isFound(try row.wholeRecord(0), by: query.asides, query.type) else { return true }
                if isFull {
                    more = true
                    return false
                }
                let body = try row.wholeRecord(0)
                let shown = try show(
                    isOwn && !body.hasReaderPlaceholder ? body : try filled(body, at: place(), isOwn: isOwn, db))
                try allowance.take(shown.size)
                records.append(shown)
                isFull = records.count == limit || allowance.isFull
                if isFull { last = place() }
                return true
            }
            if more { break }
        }
        return QueryPage(records: records, continuationMarker: more ? try last.map { try markers().make($0) } : nil)
    }

    // MARK: What is asked

    /// Prepares the query from a cached outline; nil without one, and for queries to refuse.
    private func outlined(
        _ zones: QueryZones, _ outlines: QueryOutlines, _ catalog: Catalog, _ roles: CallerRoles?
    ) throws -> PreparedQuery? {
        guard let (shape, zone) = outline(zones), query.filters.count <= limits.operandsPerQuery,
            let outline = outlines.find(shape, version: catalog.version),
            let prepared = outline.prepared(query, zone: zone, of: self.zone)
        else { return nil }
        guard try readableCreator(outline.type, roles) == nil else { return nil }
        record(prepared.step, prepared.fault)
        return prepared
    }

    /// The shape of a query over one whole zone; nil for other queries.
    private func outline(_ zones: QueryZones) -> (QueryShape, zone: Int64)? {
        guard continuationMarker == nil, !zoneWide, !isShared, !onlyWithFiles, thresholds == QueryThresholds(),
            zones.whole.count == 1, zones.partial.isEmpty, let shape = QueryShape(query, strict: strict)
        else { return nil }
        return (shape, zones.whole[0])
    }

    private func prepared(
        _ zones: QueryZones, _ catalog: Catalog, _ roles: CallerRoles?, _ secret: SymmetricKey,
        _ outlines: QueryOutlines, scans: Bool, onMissing: (MissingIndexes) -> Void, _ db: SQLConnection
    ) throws -> PreparedQuery {
        let resolved = try resolved(catalog)
        let creator = try readableCreator(resolved.type, roles)
        if let unbuilt = resolved.unbuilt { throw try IndexBuilds.refusal(unbuilt, of: resolved.type, db) }
        let plan = try QueryPlan(
            resolved, zones: zones, zoneWide: zoneWide, creator: creator, onlyWithFiles: onlyWithFiles,
            thresholds: thresholds, db)
        if plan.lacksIndex, !scans { throw LacksIndex(resolved, plan.missing) }
        let step = TrailStep.index(type: resolved.type.name, lead: plan.leader, marks: resolved.usedMarks)
        let fault = strict ? nil : resolved.faultInProduction
        record(step, fault)
        if !plan.missing.isEmpty { onMissing(plan.missing) }
        let resume = try continuationMarker.map {
            try markers(of: resolved, secret).read($0, keys: plan.order.count)
        }
        let prepared = PreparedQuery(
            type: resolved.type, statements: plan.statements(after: resume), places: plan.order.count, step: step,
            fault: fault, asides: plan.asides, isCertain: plan.isCertain && creator == nil, resolved: resolved)
        if let (shape, zone) = outline(zones),
            let outline = QueryOutline(query, prepared, zone: zone, of: self.zone, db.dialect.spelling)
        {
            outlines.store(outline, of: shape, version: catalog.version)
        }
        return prepared
    }

    private func record(_ step: TrailStep, _ fault: IndexFault?) {
        trace?.note(step)
        if let fault { trace?.note(.refusedInProduction(fault)) }
    }

    private func resolved(_ catalog: Catalog) throws(ServerError) -> ResolvedQuery {
        try ResolvedQuery(query, catalog: catalog, strict: strict, zone: zone, zoneWide: zoneWide, limits: limits)
    }

    private func markers(of resolved: ResolvedQuery, _ secret: SymmetricKey) -> QueryMarkers {
        QueryMarkers(secret: secret) {
            // Signed-in users have non-empty names.
            let user = caller.userRecordName ?? ""
            return "\(user)|\(zone.owner)|\(zone.name)|\(zoneWide)|\(isShared)|\(resolved.fingerprint)"
        }
    }

    // MARK: What is found

    /// Returns true if the record's own words match the searches.
    private func isFound(
        _ body: @autoclosure () throws -> RecordBody, by searches: [ResolvedQuery.Search], _ type: RecordType
    ) throws -> Bool {
        guard !searches.isEmpty else { return true }
        var words = RecordWords(try body().json(), of: type)
        return searches.allSatisfy { words.matches($0) }
    }

    /// The last key of every place is the record's row id.
    private func filled(
        _ body: RecordBody, at place: QueryMarkers.SortKeys, isOwn: Bool, _ db: SQLConnection
    ) throws -> RecordBody {
        guard case .integer(let record)? = place.last else { return body }
        guard isOwn else { return try ShareFilling.fillShared(body, record: record, for: caller, db) }
        return try ShareFilling.fill(body, record: record, for: caller, db)
    }

    /// - Parameter roles: nil outside the public database.
    /// - Returns: nil if every record is readable; a user record name if only that user's records are (reference A §12).
    private func readableCreator(_ type: RecordType, _ roles: CallerRoles?) throws -> String? {
        guard let roles else { return nil }
        let grants = type.grants
        guard let refusal = try roles.refusal(.read, grants, to: caller, creator: nil, type: type.name) else {
            return nil
        }
        if let user = caller.userRecordName, try roles.allow(.read, grants, to: caller, creator: user) { return user }
        throw refusal
    }
}
