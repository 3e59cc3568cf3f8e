import CloudModel

/// Queries of subscriptions as they read in the schema of now, so that one is not read anew for each record.
///
/// Used on the write door's queue only.
final class WatchedQueries {
    private struct Key: Hashable {
        let query: [UInt8]
        let zone: ZoneID
    }

    private var version: Int64 = 0
    private var resolved = BoundedCache<Key, ResolvedQuery?>(capacity: 4096)

    /// A query was held to the limits of its day.
    private static let unlimited: Limits = {
        var limits = Limits()
        limits.filtersPerQuery = .max
        limits.sortsPerQuery = .max
        limits.operandsPerFilter = .max
        limits.operandsPerQuery = .max
        return limits
    }()

    /// - Parameter zone: what references in operands are relative to.
    /// - Returns: nil where the schema no longer has what the query asks for.
    func resolve(_ query: [UInt8], zone: ZoneID, catalog: Catalog) -> ResolvedQuery? {
        if version != catalog.version { forget() }
        version = catalog.version
        let key = Key(query: query, zone: zone)
        if let known = resolved[key] { return known }
        let limits = Self.unlimited
        let answer = (try? Query(JSONParser.parse(query), limits: limits)).flatMap {
            try? ResolvedQuery($0, catalog: catalog, strict: false, zone: zone, limits: limits)
        }
        resolved[key] = .some(answer)
        return answer
    }

    /// To be called when a schema is undone, whose version will be another's.
    func forget() { resolved.removeAll() }
}
