import CloudModel

/// A cache of subscription queries, resolved against the current schema so that they are not parsed for each record.
///
/// Confined to the writer's queue.
final class WatchedQueries {
    private struct Key: Hashable {
        let query: [UInt8]
        let zone: ZoneID
    }

    private var version: Int64 = 0
    private var resolved = BoundedCache<Key, ResolvedQuery?>(capacity: 4096)

    /// No limits: a stored query was checked against the limits of its time.
    private static let unlimited: Limits = {
        var limits = Limits()
        limits.filtersPerQuery = .max
        limits.sortsPerQuery = .max
        limits.operandsPerFilter = .max
        limits.operandsPerQuery = .max
        return limits
    }()

    /// - Parameter zone: the zone that references in operands default to.
    /// - Returns: nil if the schema no longer has the query's type or fields.
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

    /// Empties the cache. Call when a schema change is undone, since its version number will be reused.
    func forget() { resolved.removeAll() }
}
