import CloudModel
import CloudStore

extension RecordEndpoints {
    /// `records/query` (reference A §5).
    package static let query: Endpoint = { call in
        let query = try Query(call.body["query"], limits: call.limits)
        let presentation = try Presentation().overridden(by: call.body)
        let zoneWide = try call.flag("zoneWide", in: call.body) ?? false && call.body["zoneID"] == nil
        let limit = try call.resultsLimit(call.body)
        let marker = try call.text("continuationMarker", in: call.body)
        var writer = JSONWriter(capacity: 4096)
        let zone = try zone(of: call, zoneWide: zoneWide)
        let page = try await call.store.query(
            QueryRequest(
                zone: zone, zoneWide: zoneWide, isShared: call.scope == .shared, query: query,
                continuationMarker: marker, limit: limit,
                strict: call.identity.hasStrictIndexes,
                caller: call.identity.caller, limits: call.limits))
        let records = try page.records.map { try call.shown($0, presentation) }
        try await call.writeAnswer(&writer, zone: zone) {
            $0.key("records")
            $0.array { for record in records { $0.verbatim(record) } }
            $0.member("continuationMarker", page.continuationMarker)
        }
        return writer
    }

    /// What a query over all zones is relative to is the caller's default zone, in the shared database as well.
    private static func zone(of call: DatabaseCall, zoneWide: Bool) throws(ServerError) -> ZoneID {
        if zoneWide, case .shared(let user) = try call.database() {
            return ZoneID(name: ZoneID.defaultName, owner: user)
        }
        return try call.zone(zoneWide ? nil : call.body["zoneID"])
    }
}

extension Identity {
    /// Whether queries are refused what the schema does not mark as indexed (reference A §5.6): where it is settled by
    /// hand, and where an operator wants so.
    fileprivate var hasStrictIndexes: Bool {
        environment == .production || !container.justInTimeSchema || container.strictIndexes
    }
}
