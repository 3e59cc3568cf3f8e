import CloudModel
import CloudSQL

/// The sort keys of a query that are distances: how they read in SQL, and what they are measured from.
///
/// Who has no position is farther than anybody who has.
struct DistanceKeys {
    private let sorts: [(place: Int, origin: Coordinate, field: Int64)]

    init(_ sorts: [IndexChoice.Sort]) {
        self.sorts = sorts.enumerated().compactMap { place, sort in
            sort.distance.map { (place, $0.origin, $0.field) }
        }
    }

    /// To be bound before anything else.
    var values: [SQLValue] { sorts.flatMap { [.real($0.origin.latitude), .real($0.origin.longitude)] } }

    /// The key at a place of the order; nil where it is not a distance.
    func expression(_ place: Int) -> String? {
        guard let index = sorts.firstIndex(where: { $0.place == place }) else { return nil }
        let parameter = 2 * index + 1
        return "coalesce(distance(?\(parameter), ?\(parameter + 1), d\(index).latitude, d\(index).longitude), 9e999)"
    }

    /// The locations that the keys are about, for a row of values `v`.
    var joins: String {
        sorts.indices.map {
            " LEFT JOIN locations d\($0) ON d\($0).record = v.id AND d\($0).field = \(sorts[$0].field)"
        }
        .joined()
    }
}
