import CloudModel
import CloudStore

extension RecordStore {
    /// One page of a query given as text.
    func query(
        _ text: String, zone: ZoneID = .notes, zoneWide: Bool = false, marker: String? = nil, limit: Int = 1000,
        strict: Bool = false, caller: Caller = .alice, limits: Limits = Limits()
    ) async throws -> (names: [String], marker: String?) {
        let page = try await query(
            QueryRequest(
                zone: zone, zoneWide: zoneWide, query: try Query(json(text), limits: limits),
                continuationMarker: marker, limit: limit, strict: strict, caller: caller, limits: limits))
        return (try page.records.map(changeName), page.continuationMarker)
    }

    /// All pages of a query, one after the other.
    func pages(_ text: String, zoneWide: Bool = false, limit: Int) async throws -> [[String]] {
        var pages: [[String]] = []
        var marker: String?
        repeat {
            let page = try await query(text, zoneWide: zoneWide, marker: marker, limit: limit)
            pages.append(page.names)
            marker = page.marker
        } while marker != nil
        return pages
    }
}
