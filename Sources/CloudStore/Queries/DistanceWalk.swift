import CloudModel

/// Walks a query's records by distance, the first sort key.
struct DistanceWalk {
    let field: Int64
    let zones: [Int64]
    private let origin: Coordinate
    private let ascending: Bool
    /// The largest distance within the query's filters, in metres.
    private let limit: Double

    /// - Returns: nil for a query with another first sort key.
    init?(_ query: ResolvedQuery, zones: [Int64]) {
        guard let sort = query.sorts.first, let origin = sort.origin, case .field(let field) = sort.subject else {
            return nil
        }
        self.field = field.id
        self.zones = zones
        self.origin = origin
        ascending = sort.ascending
        limit =
            query.nearnesses.filter { $0.field.id == field.id }
            .map { $0.circle.radius + $0.circle.center.distance(to: origin) + 1 }.min() ?? .infinity
    }

    /// True if the filters require a position.
    var isWithin: Bool { limit < .infinity }

    /// - Parameter start: the distance at the end of the previous page.
    func rings(after start: Double?) -> [DistanceRings.Ring] {
        DistanceRings(from: origin, ascending: ascending, start: start, limit: limit).rings
    }
}
