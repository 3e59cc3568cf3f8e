import CloudAccounts
import CloudModel
import CloudStore

extension RecordEndpoints {
    /// `records/query` (reference A §5).
    package static let query: ReadEndpoint = { call in
        let query = try Query(call.body["query"], limits: call.limits)
        guard query.recordType != RecordType.users else { throw RecordType.notForQueries }
        let presentation = try Presentation().overridden(by: call.body)
        let zoneWide = try call.body.optionalFlag("zoneWide") ?? false && call.body["zoneID"] == nil
        let limit = try call.resultsLimit(call.body)
        let marker = try call.body.optionalText("continuationMarker")
        let zone = try zone(of: call, zoneWide: zoneWide)
        var request = QueryRequest(
            zone: zone, zoneWide: zoneWide, isShared: call.scope == .shared, query: query,
            continuationMarker: marker, limit: limit, strict: call.identity.hasStrictIndexes,
            caller: call.identity.caller, limits: call.limits)
        request.allowance = call.allowance
        request.trace = call.trace
        request.show = { try call.shown($0, presentation) }
        let size = { @Sendable (page: QueryPage) in page.records.reduce(256) { $0 + $1.size + 1 } }
        return call.read(call.store.queries.read(request), zone: zone, size: size) { page, writer in
            call.trace.note(rowsAnswered: page.records.count)
            writer.key("records")
            writer.array { for record in page.records { $0.record(record) } }
            writer.member("continuationMarker", page.continuationMarker)
        }
    }

    /// The zone of a query. Zone-wide queries use the caller's default zone, in the shared database as well.
    private static func zone(of call: DatabaseCall, zoneWide: Bool) throws(ServerError) -> ZoneID {
        if zoneWide, case .shared(let user) = try call.database() {
            return ZoneID(name: ZoneID.defaultName, owner: user)
        }
        return try call.zone(zoneWide ? nil : call.body["zoneID"])
    }
}

extension Identity {
    /// True if queries require index marks (reference A §5.6): in production, without just-in-time schema, or by the
    /// container's setting.
    fileprivate var hasStrictIndexes: Bool {
        environment == .production || !container.justInTimeSchema || container.strictIndexes
    }
}
