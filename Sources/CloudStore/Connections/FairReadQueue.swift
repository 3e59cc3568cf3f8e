import DequeModule

/// The order of reads, so that one client's long reads take up neither all connections nor each other's.
///
/// A client may have half of the connections; one whose read has run for a while gets no second beside it. What may
/// not run is parked, and each end of a read lets one of its client's go on.
struct FairReadQueue<Job> {
    /// Past this a read is a long one.
    private static var short: Duration { .milliseconds(20) }

    private let mostOfOne: Int
    private var running: [String: [ContinuousClock.Instant]] = [:]
    private var parked: [String: Deque<Job>] = [:]
    private(set) var parkedCount = 0

    init(connections: Int) { mostOfOne = max(1, connections / 2) }

    func mayBegin(_ client: String) -> Bool {
        guard let starts = running[client], let first = starts.first else { return true }
        return starts.count < mostOfOne && .now - first < Self.short
    }

    mutating func begin(_ client: String) { running[client, default: []].append(.now) }

    mutating func park(_ job: Job, of client: String) {
        parked[client, default: []].append(job)
        parkedCount += 1
    }

    /// - Returns: a job of the same client that may go on.
    mutating func end(_ client: String) -> Job? {
        // Which of its reads has ended does not matter much: the longest one is what counts, and it ends too.
        if running[client]?.count == 1 { running[client] = nil } else { running[client]?.removeLast() }
        guard let job = parked[client]?.popFirst() else { return nil }
        parkedCount -= 1
        if parked[client]?.isEmpty == true { parked[client] = nil }
        return job
    }
}
