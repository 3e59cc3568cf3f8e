package import CoreMetrics
import Synchronization

/// Stores metrics, and renders them in Prometheus' text format.
///
/// State: the families by name, under one lock; each series synchronizes itself.
package final class PrometheusRegistry: MetricsFactory {
    /// The most series of one metric name; the limit bounds labels whose values clients choose.
    private static let mostSeries = 2000

    private enum Series {
        case counter(CounterSeries)
        case gauge(GaugeSeries)
        case histogram(HistogramSeries)
    }

    private let families = Mutex<[String: [String: Series]]>([:])

    package init() {}

    // MARK: What is measured

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        let made = series(label, dimensions) { .counter(CounterSeries()) }
        if case .counter(let counter)? = made { return counter }
        return NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let made = series(label, dimensions) { .gauge(GaugeSeries()) }
        if case .gauge(let gauge)? = made { return gauge }
        return NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        let made = series(label, dimensions) {
            aggregate ? .histogram(HistogramSeries(HistogramSeries.counts)) : .gauge(GaugeSeries())
        }
        switch made {
        case .histogram(let histogram)?: return histogram
        case .gauge(let gauge)?: return gauge
        default: return NOOPMetricsHandler.instance
        }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        let made = series(label, dimensions) { .histogram(HistogramSeries(HistogramSeries.seconds)) }
        if case .histogram(let histogram)? = made { return histogram }
        return NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        NOOPMetricsHandler.instance
    }

    // Series are never removed, because Prometheus expects counters to last.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    private func series(_ label: String, _ dimensions: [(String, String)], _ make: () -> Series) -> Series? {
        let labels = Self.text(dimensions)
        return families.withLock { families in
            if let known = families[label]?[labels] { return known }
            guard families[label, default: [:]].count < Self.mostSeries else { return nil }
            let made = make()
            families[label, default: [:]][labels] = made
            return made
        }
    }

    // MARK: Text

    /// All metrics in Prometheus' text format (version 0.0.4).
    package func text() -> String {
        let families = families.withLock { $0 }
        return families.keys.sorted().map { name in
            let all = families[name] ?? [:]
            let lines = all.keys.sorted().flatMap { labels in all[labels].map { Self.lines(name, labels, $0) } ?? [] }
            let help = MetricCatalog.help[name].map { ["# HELP \(name) \($0)"] } ?? []
            let type = all.values.first.map { ["# TYPE \(name) \(Self.type($0))"] } ?? []
            return (help + type + lines).joined(separator: "\n") + "\n"
        }.joined()
    }

    private static func type(_ series: Series) -> String {
        switch series {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func lines(_ name: String, _ labels: String, _ series: Series) -> [String] {
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        switch series {
        case .counter(let counter): return ["\(name)\(braces) \(counter.value)"]
        case .gauge(let gauge): return ["\(name)\(braces) \(number(gauge.value))"]
        case .histogram(let histogram):
            let (buckets, sum, count) = histogram.values
            let start = labels.isEmpty ? "" : labels + ","
            return zip(histogram.bounds.map(number) + ["+Inf"], buckets + [count]).map {
                "\(name)_bucket{\(start)le=\"\($0)\"} \($1)"
            } + ["\(name)_sum\(braces) \(number(sum))", "\(name)_count\(braces) \(count)"]
        }
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : value.description
    }

    private static func text(_ dimensions: [(String, String)]) -> String {
        dimensions.sorted { $0.0 < $1.0 }.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }
}
