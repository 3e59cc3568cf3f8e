import CloudModel

/// Counts by key over the last seven days, for a bounded number of keys.
///
/// A new key over the limit evicts expired keys, and then the least recently used quarter.
struct WeekCounts<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var count = WeekCount()
        var last: Timestamp

        mutating func add(on time: Timestamp) {
            count.add(on: time)
            last = max(last, time)
        }
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]

    init(capacity: Int) { self.capacity = capacity }

    mutating func add(_ key: Key, on time: Timestamp) {
        if entries[key] == nil, entries.count >= capacity { drop(at: time) }
        entries[key, default: Entry(last: time)].add(on: time)
    }

    /// The sum of each key over the seven days up to `time`.
    func totals(until time: Timestamp) -> [Key: Int] { entries.mapValues { $0.count.total(until: time) } }

    private mutating func drop(at time: Timestamp) {
        entries = entries.filter { $0.value.count.total(until: time) > 0 }
        guard entries.count >= capacity else { return }
        // Evicts many keys at once: a flood of keys then sorts rarely.
        let oldest = entries.sorted { $0.value.last < $1.value.last }.prefix(max(1, capacity / 4))
        for (key, _) in oldest { entries[key] = nil }
    }
}
