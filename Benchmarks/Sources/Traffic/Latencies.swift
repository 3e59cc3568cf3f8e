/// The times of many requests, for percentiles.
package struct Latencies: Sendable {
    private var times: [Duration] = []

    package init() {}

    package var count: Int { times.count }

    package mutating func add(_ time: Duration) { times.append(time) }

    package mutating func add(_ other: Latencies) { times += other.times }

    /// The time within which `share` (0…1) of the requests were answered; zero when there were none.
    package func percentile(_ share: Double) -> Duration {
        guard !times.isEmpty else { return .zero }
        let sorted = times.sorted()
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }
}

extension Duration {
    package var milliseconds: Double { self / .milliseconds(1) }
}
