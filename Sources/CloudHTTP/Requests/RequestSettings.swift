/// Validated settings for request records and request log lines.
package struct RequestSettings: Hashable, Sendable {
    /// Requests that get a log line.
    package enum Logged: String, CaseIterable, Sendable {
        case all, refused, slow, none
    }

    /// Whether to record requests at all.
    package var areRecorded = true
    /// Records kept in memory.
    package var count = 10_000
    /// Memory limit of the records, in bytes.
    package var bytes = 32 << 20
    /// Days to keep record files; 0 writes none.
    package var fileDays = 0
    /// Size limit of all record files, in bytes.
    package var fileBytes = 256 << 20
    /// Nil for all requests with `--dev`, otherwise refused requests.
    package var logged: Logged?
    /// The duration of a slow request.
    package var slow = Duration.milliseconds(500)
    /// Log lines about requests per minute.
    package var linesPerMinute = 120

    package init() {}

    package func logged(dev: Bool) -> Logged { logged ?? (dev ? .all : .refused) }
}
