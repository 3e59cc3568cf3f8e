import CloudHTTP
import CloudModel

/// The last hour's requests per minute and the latest refusals, computed in one pass over the request log.
struct RequestCourse {
    static let minutes = 60
    /// The most distinct refusals.
    private static let mostRefusals = 6

    /// Refusals with the same error, container and reason.
    struct Refusal {
        /// The newest refusal.
        let record: RequestRecord
        let code: String
        let sentence: String
        var count = 1
    }

    /// The number of requests per minute, the current minute last.
    private(set) var requests = [Int](repeating: 0, count: minutes)
    private(set) var refused = [Int](repeating: 0, count: minutes)
    private(set) var notifications = [Int](repeating: 0, count: minutes)
    /// The slowest request per minute, in microseconds.
    private(set) var slowest = [Int](repeating: 0, count: minutes)
    /// The 99th percentile of durations; nil without requests.
    private(set) var slowestPercent: Duration?
    /// Newest first.
    private(set) var refusals: [Refusal] = []
    /// The count of each error in the hour, except `AUTHENTICATION_REQUIRED` and `CONFLICT`, which are routine.
    private(set) var errors: [ServerError.Code: Int] = [:]
    /// The minutes covered by the log, less than an hour on a busy server.
    let span: Int

    /// - Parameters:
    ///   - records: oldest first.
    ///   - beginning: the start of the log; nil if no record was dropped.
    init(_ records: [RequestRecord], now: Timestamp, beginning: Timestamp?) {
        span = min(Self.minutes, beginning.map { Self.age(of: $0, now) + 1 } ?? Self.minutes)
        var indices: [String: Int] = [:]
        var durations: [Duration] = []
        for record in records.reversed() {
            if record.isRefused { add(refusal: record, &indices) }
            let age = Self.age(of: record.time, now)
            guard age < Self.minutes else { continue }
            durations.append(record.duration)
            count(record, minute: Self.minutes - 1 - age)
        }
        durations.sort()
        slowestPercent = durations.isEmpty ? nil : durations[durations.count * 99 / 100]
    }

    /// Whole minutes since a request; never negative, even if the clock was set back.
    private static func age(of time: Timestamp, _ now: Timestamp) -> Int {
        Int(clamping: max(0, (now - time).components.seconds) / 60)
    }

    private mutating func count(_ record: RequestRecord, minute: Int) {
        requests[minute] += 1
        notifications[minute] += record.cost.notifications
        slowest[minute] = max(slowest[minute], Int(clamping: record.duration.wholeMicroseconds))
        guard record.isRefused else { return }
        refused[minute] += 1
        guard let code = record.code, code != .authenticationRequired, code != .conflict else { return }
        errors[code, default: 0] += 1
    }

    private mutating func add(refusal record: RequestRecord, _ indices: inout [String: Int]) {
        let (code, sentence) = (record.code?.rawValue ?? "\(record.status)", Self.sentence(record))
        let key = "\(code) \(record.container ?? "") \(sentence)"
        if let index = indices[key] {
            refusals[index].count += 1
        } else if refusals.count < Self.mostRefusals {
            indices[key] = refusals.count
            refusals.append(Refusal(record: record, code: code, sentence: sentence))
        }
    }

    /// The reason of a refused request, or of its first refused operation.
    private static func sentence(_ record: RequestRecord) -> String {
        let operation = record.operations.first { $0.code != nil }
        let reason = record.refusal?.reason ?? operation?.reason ?? "the page that was shown tells why"
        let subject = record.refusal == nil ? operation.map { [$0.recordType, $0.recordName].compactMap(\.self) } : nil
        return ((subject ?? []) + [reason]).joined(separator: " ")
    }
}
