import CloudModel
import CloudSQL

/// Counts the active subscriptions by type, in the writer's memory: a change to an unwatched type needs no lookup.
struct WatchedTypes {
    /// Numbers of query subscriptions by record type and bucket field.
    private var queries: [Int64: [Int64: Int]] = [:]
    /// The number of zone and database subscriptions.
    private var others = 0

    static func load(_ db: SQLConnection) throws -> WatchedTypes {
        var watched = WatchedTypes()
        try db.each(
            "SELECT kind, record_type, bucket_field, count(*) FROM subscriptions WHERE is_paused = 0 GROUP BY 1, 2, 3",
            []
        ) {
            if let kind = SubscriptionKind(rawValue: $0.integer(0)) {
                watched.change(kind, $0.integer(1), $0.integer(2), by: Int($0.integer(3)))
            }
            return true
        }
        return watched
    }

    /// True if there are zone or database subscriptions.
    var hasOthers: Bool { others > 0 }

    /// The bucket fields of a type's query subscriptions, with 0 for queries without a bucket; nil without subscriptions.
    func fields(ofType type: Int64) -> [Int64]? { queries[type].map { $0.keys.sorted() } }

    mutating func add(_ kind: SubscriptionKind, type: Int64, field: Int64) { change(kind, type, field, by: 1) }

    mutating func remove(_ kind: SubscriptionKind, type: Int64, field: Int64) { change(kind, type, field, by: -1) }

    private mutating func change(_ kind: SubscriptionKind, _ type: Int64, _ field: Int64, by count: Int) {
        guard kind == .query else {
            others += count
            return
        }
        let left = queries[type]?[field, default: 0] ?? 0
        queries[type, default: [:]][field] = left + count > 0 ? left + count : nil
        if queries[type]?.isEmpty == true { queries[type] = nil }
    }
}
