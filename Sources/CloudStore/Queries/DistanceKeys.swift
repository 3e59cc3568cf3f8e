import CloudModel
import CloudSQL

/// The distance sort keys of a query: their SQL and their origins.
///
/// A record without a position sorts as farthest.
struct DistanceKeys {
    private let sorts: [(place: Int, origin: Coordinate, field: Int64)]

    init(_ sorts: [IndexChoice.Sort]) {
        self.sorts = sorts.enumerated().compactMap { place, sort in
            sort.distance.map { (place, $0.origin, $0.field) }
        }
    }

    /// The parameters ?1 onwards: bind these first.
    var values: [SQLValue] {
        sorts.flatMap { [.real($0.origin.latitude), .real($0.origin.longitude), .real(.infinity)] }
    }

    /// The SQL of the sort key at an index; nil for other keys.
    func expression(_ place: Int) -> String? {
        guard let index = sorts.firstIndex(where: { $0.place == place }) else { return nil }
        let parameter = 3 * index + 1
        let distance = "distance(?\(parameter), ?\(parameter + 1), d\(index).latitude, d\(index).longitude)"
        return "coalesce(\(distance), ?\(parameter + 2))"
    }

    /// Joins the locations of the keys to a row of values `v`.
    var joins: String {
        sorts.indices.map {
            " LEFT JOIN locations d\($0) ON d\($0).record = v.id AND d\($0).field = \(sorts[$0].field)"
        }
        .joined()
    }
}
