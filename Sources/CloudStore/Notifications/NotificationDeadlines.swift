import HeapModule
import NIOCore

/// The latest ends of waits. One timer serves them all: a timer of its own for each of ten thousand would be
/// searched for among as many whenever a wait ends early.
struct NotificationDeadlines {
    struct Entry: Comparable {
        let time: NIODeadline
        let token: Int64
        /// The number of the wait that it is for, among those for the token. Waits that have ended leave theirs behind.
        let wait: Int64

        static func < (one: Entry, other: Entry) -> Bool { one.time < other.time }
    }

    private var entries = Heap<Entry>()
    /// The times that timers are set for, the next last.
    private var alarms: [NIODeadline] = []

    /// The time that the next timer has to go off; nil when one is set that is early enough.
    var first: NIODeadline? {
        mutating get {
            guard let time = entries.min?.time, alarms.last.map({ $0 > time }) ?? true else { return nil }
            alarms.append(time)
            return time
        }
    }

    /// - Returns: whether a timer has to be set for it.
    mutating func add(_ time: NIODeadline, token: Int64, wait: Int64) -> Bool {
        entries.insert(Entry(time: time, token: token, wait: wait))
        return first != nil
    }

    /// To be called when a timer goes off.
    mutating func removeOverdue(_ now: NIODeadline) -> [Entry] {
        alarms.removeAll { $0 <= now }
        var overdue: [Entry] = []
        while let entry = entries.min, entry.time <= now { overdue.append(entries.removeMin()) }
        return overdue
    }

    /// Forgets those of waits that have ended, once they are the most.
    mutating func tidy(keeping count: Int, where isNeeded: (Entry) -> Bool) {
        guard entries.count > 2 * count + 1000 else { return }
        entries = Heap(entries.unordered.filter(isNeeded))
    }
}
