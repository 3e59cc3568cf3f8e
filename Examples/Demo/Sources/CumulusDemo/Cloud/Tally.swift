import Synchronization

/// Counts what went over the wire, for the last line of the play.
final class Tally: Sendable {
    struct Counts {
        var requests = 0
        var records = 0
        /// How long devices waited for the news of a change, from when it was sent; in no order.
        var wakings: [Duration] = []
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func add(_ answer: CloudAnswer) {
        let records = answer.records.count + answer.changes.count
        state.withLock {
            $0.requests += 1
            $0.records += records
        }
    }

    /// Notes how long after a change was sent another device had heard of it.
    func addWaking(_ duration: Duration) {
        state.withLock { $0.wakings.append(duration) }
    }
}
