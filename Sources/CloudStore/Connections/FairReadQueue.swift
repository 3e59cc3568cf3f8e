import DequeModule

/// Orders reads so that one client's long reads cannot take all connections.
///
/// A client may use half of the connections, and no further connection while its first read is long. Other reads are parked;
/// each read that ends releases one parked read of the same client.
struct FairReadQueue<Job> {
    /// A read past this duration is long.
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

    /// - Returns: the client's next parked job.
    mutating func end(_ client: String) -> Job? {
        // Ends are not matched to starts: only the first start decides, and it leaves the list last.
        if running[client]?.count == 1 { running[client] = nil } else { running[client]?.removeLast() }
        guard let job = parked[client]?.popFirst() else { return nil }
        parkedCount -= 1
        if parked[client]?.isEmpty == true { parked[client] = nil }
        return job
    }
}
