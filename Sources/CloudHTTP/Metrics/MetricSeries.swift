import CoreMetrics
import Synchronization

/// A counter.
final class CounterSeries: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }
    func reset() { count.store(0, ordering: .relaxed) }
}

/// A gauge.
final class GaugeSeries: MeterHandler, RecorderHandler {
    private let current = Mutex(0.0)

    var value: Double { current.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { current.withLock { $0 = value } }
    func increment(by amount: Double) { current.withLock { $0 += amount } }
    func decrement(by amount: Double) { current.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(Double(value)) }
    func record(_ value: Double) { set(value) }
}

/// A histogram with cumulative counts per upper bound.
final class HistogramSeries: TimerHandler, RecorderHandler {
    static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
    static let counts = [1.0, 2, 4, 8, 16, 32, 64, 128, 256]

    private struct State {
        var counts: [Int]
        var sum = 0.0
        var count = 0
    }

    let bounds: [Double]
    private let state: Mutex<State>

    init(_ bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: bounds.map { _ in 0 }))
    }

    /// The cumulative count for each bound, the sum of all values, and the number of values.
    var values: (buckets: [Int], sum: Double, count: Int) {
        let state = state.withLock { $0 }
        var total = 0
        let buckets = state.counts.map { count in
            total += count
            return total
        }
        return (buckets, state.sum, state.count)
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let place = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let place { state.counts[place] += 1 }
            state.sum += value
            state.count += 1
        }
    }
}
