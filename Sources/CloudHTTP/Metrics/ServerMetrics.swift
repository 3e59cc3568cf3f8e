import CloudModel
package import CloudStore
import CoreMetrics
import Synchronization

/// All counters and timers of the server. Labels are routes, codes and kinds, never a person, container or address.
package final class ServerMetrics: StoreMeter {
    package let registry = PrometheusRegistry()
    private let group: Recorder
    private let commit: CoreMetrics.Timer
    private let queued: Counter
    private let dead: Counter
    private let remembered = Mutex<(requests: [RequestKey: Counter], times: [String: CoreMetrics.Timer])>(([:], [:]))
    private let refusals: [String: Counter]
    private let failures: [SecurityLog.Event: Counter]
    private let deliveries: [DeliveryWay: (count: Counter, lag: CoreMetrics.Timer)]

    private struct RequestKey: Hashable {
        let route: String
        let code: String
    }

    package init() {
        let registry = registry
        func counter(_ name: String, _ label: String? = nil, _ value: String = "") -> Counter {
            Counter(label: name, dimensions: label.map { [($0, value)] } ?? [], factory: registry)
        }
        group = Recorder(label: MetricCatalog.groupSize, aggregate: true, factory: registry)
        commit = CoreMetrics.Timer(label: MetricCatalog.commitSeconds, factory: registry)
        queued = counter(MetricCatalog.pushesQueued)
        dead = counter(MetricCatalog.deadLetters)
        // Created at startup, because a rate needs an initial zero.
        refusals = Dictionary(
            uniqueKeysWithValues: Cause.kinds.map { ($0, counter(MetricCatalog.refusals, "reason", $0)) })
        failures = Dictionary(
            uniqueKeysWithValues: SecurityLog.Event.failures.map {
                ($0.key, counter(MetricCatalog.signInFailures, "kind", $0.value))
            })
        deliveries = Dictionary(
            uniqueKeysWithValues: DeliveryWay.allCases.map { way in
                let label = [("way", way.rawValue)]
                return (
                    way,
                    (
                        Counter(label: MetricCatalog.pushesDelivered, dimensions: label, factory: registry),
                        CoreMetrics.Timer(label: MetricCatalog.pushLag, dimensions: label, factory: registry)
                    )
                )
            })
    }

    package func note(_ record: RequestRecord) {
        let code = record.status < 400 ? "OK" : record.refusal?.code?.rawValue ?? String(record.status)
        let (count, time) = series(RequestKey(route: record.route, code: code))
        count.increment()
        time.recordNanoseconds(record.duration.wholeMicroseconds * 1000)
        if record.cost.notifications > 0 { queued.increment(by: record.cost.notifications) }
        if let refusal = record.refusal { refusals[refusal.cause.kind]?.increment() }
        for operation in record.operations {
            if let cause = operation.cause { refusals[cause.kind]?.increment() }
        }
    }

    private func series(_ key: RequestKey) -> (Counter, CoreMetrics.Timer) {
        remembered.withLock { known in
            if let count = known.requests[key], let time = known.times[key.route] { return (count, time) }
            let route = key.route
            let count = Counter(
                label: MetricCatalog.requests, dimensions: [("code", key.code), ("route", route)], factory: registry)
            let time =
                known.times[key.route]
                ?? CoreMetrics.Timer(
                    label: MetricCatalog.requestSeconds, dimensions: [("route", route)], factory: registry)
            known.requests[key] = count
            known.times[key.route] = time
            return (count, time)
        }
    }

    package func note(_ event: SecurityLog.Event) { failures[event]?.increment() }

    package func delivered(_ way: DeliveryWay, after lag: Duration) {
        deliveries[way]?.count.increment()
        deliveries[way]?.lag.recordNanoseconds(max(0, lag.wholeMicroseconds) * 1000)
    }

    package func died(_ count: Int) { dead.increment(by: count) }

    package func committed(_ requests: Int, in time: Duration) {
        group.record(requests)
        commit.recordNanoseconds(time.wholeMicroseconds * 1000)
    }

    /// Sets a gauge when metrics are read.
    package func set(_ name: String, to value: some BinaryInteger, _ label: (String, String)? = nil) {
        Meter(label: name, dimensions: label.map { [$0] } ?? [], factory: registry).set(value)
    }
}
