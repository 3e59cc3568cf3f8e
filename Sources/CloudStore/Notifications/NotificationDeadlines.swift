import HeapModule
import NIOCore

/// Deadlines of waits, served by one timer: with ten thousand timers, each early end of a wait would search them all.
struct NotificationDeadlines {
    struct Entry: Comparable {
        let time: NIODeadline
        let token: Int64
        /// The number of the token's wait. Entries of ended waits stay behind.
        let wait: Int64

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
    }

    private var entries = Heap<Entry>()
    /// Times of the scheduled timers, the next last.
    private var alarms: [NIODeadline] = []

    /// The time for a new timer; nil if a scheduled timer is early enough.
    var first: NIODeadline? {
        mutating get {
            guard let time = entries.min?.time, alarms.last.map({ $0 > time }) ?? true else { return nil }
            alarms.append(time)
            return time
        }
    }

    /// - Returns: whether a timer has to be scheduled.
    mutating func add(_ time: NIODeadline, token: Int64, wait: Int64) -> Bool {
        entries.insert(Entry(time: time, token: token, wait: wait))
        return first != nil
    }

    /// Removes and returns overdue entries; call when a timer fires.
    mutating func removeOverdue(_ now: NIODeadline) -> [Entry] {
        alarms.removeAll { $0 <= now }
        var overdue: [Entry] = []
        while let entry = entries.min, entry.time <= now { overdue.append(entries.removeMin()) }
        return overdue
    }

    /// Drops entries of ended waits, once they outnumber the rest.
    mutating func tidy(keeping count: Int, where isNeeded: (Entry) -> Bool) {
        guard entries.count > 2 * count + 1000 else { return }
        entries = Heap(entries.unordered.filter(isNeeded))
    }
}
