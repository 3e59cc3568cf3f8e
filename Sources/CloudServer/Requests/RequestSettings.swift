/// The settings, checked, of what is remembered and told of requests.
package struct RequestSettings: Hashable, Sendable {
    /// The requests that get a line in the log.
    package enum Logged: String, CaseIterable, Sendable {
        case all, refused, slow, none
    }

    /// Whether requests are recorded at all.
    package var areRecorded = true
    /// Requests that are remembered.
    package var count = 10_000
    /// Bytes that they may take in memory.
    package var bytes = 32 << 20
    /// Days that records are kept in files; 0 keeps none.
    package var fileDays = 0
    /// Bytes of these files together.
    package var fileBytes = 256 << 20
    /// Nil for all with `--dev`, else those that were refused.
    package var logged: Logged?
    /// The time from which a request is a slow one.
    package var slow = Duration.milliseconds(500)
    /// Lines about requests in one minute.
    package var linesPerMinute = 120

    package init() {}

    package func logged(dev: Bool) -> Logged { logged ?? (dev ? .all : .refused) }
}
