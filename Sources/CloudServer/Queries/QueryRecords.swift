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
        // Nothing is shared with anybody yet.
        if zoneWide, case .shared = try call.database() {
            writer.object {
                $0.key("records"); $0.array { _ in }
            }
            return writer
        }
        let zone = try call.zone(zoneWide ? nil : call.body["zoneID"])
        let page = try await call.store.query(
            QueryRequest(
                zone: zone, zoneWide: zoneWide, query: query, continuationMarker: marker, limit: limit,
                strict: call.identity.container.strictIndexes || call.identity.environment == .production,
                caller: call.identity.caller, limits: call.limits))
        let records = try page.records.map { try call.shown($0, presentation) }
        try await call.writeAnswer(&writer, zone: zone) {
            $0.key("records")
            $0.array { for record in records { $0.verbatim(record) } }
            $0.member("continuationMarker", page.continuationMarker)
        }
        return writer
    }
}
