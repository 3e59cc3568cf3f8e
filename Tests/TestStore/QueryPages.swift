package import CloudModel
package import CloudStore

extension EnvironmentStore {
    /// One page of a query given as text.
    package func query(
        _ text: String, zone: ZoneID = .notes, zoneWide: Bool = false, marker: String? = nil, limit: Int = 1000,
        strict: Bool = false, caller: Caller = .alice, limits: Limits = Limits(),
        thresholds: QueryThresholds = QueryThresholds()
    ) async throws -> (names: [String], marker: String?) {
        var request = QueryRequest(
            zone: zone, zoneWide: zoneWide, query: try Query(json(text), limits: limits), continuationMarker: marker,
            limit: limit, strict: strict, caller: caller, limits: limits)
        request.thresholds = thresholds
        let page = try await queries.query(request)
        return (try page.records.map(changeName), page.continuationMarker)
    }

    /// All pages of a query, one after the other, found by other ways in turn.
    package func pages(
        _ text: String, zoneWide: Bool = false, limit: Int, thresholds: [QueryThresholds] = [QueryThresholds()]
    ) async throws -> [[String]] {
        var pages: [[String]] = []
        var marker: String?
        repeat {
            let page = try await query(
                text, zoneWide: zoneWide, marker: marker, limit: limit,
                thresholds: thresholds[pages.count % thresholds.count])
            pages.append(page.names)
            marker = page.marker
        } while marker != nil
        return pages
    }
}

extension QueryThresholds {
    /// By which two matches are many.
    package static let low: QueryThresholds = {
        var thresholds = QueryThresholds()
        (thresholds.fewMatches, thresholds.fewVisible) = (2, 5)
        return thresholds
    }()
}
