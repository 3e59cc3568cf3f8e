import CloudModel
import Logging
import Synchronization

/// Logs a line per selected request, up to a rate per minute.
final class RequestLineWriter: Sendable {
    private struct State {
        var minute: Int64 = 0
        var lines = 0
        var leftOut = 0
    }

    private let logged: RequestSettings.Logged
    private let slow: Duration
    private let most: Int
    private let logger: Logger
    private let now: Now
    private let state = Mutex(State())

    init(_ settings: RequestSettings, dev: Bool, logger: Logger, now: @escaping Now) {
        logged = settings.logged(dev: dev)
        slow = settings.slow
        most = settings.linesPerMinute
        self.logger = logger
        self.now = now
    }

    func write(_ record: RequestRecord) {
        guard isChosen(record) else { return }
        let (isAllowed, leftOut) = take()
        guard isAllowed else { return }
        var metadata: Logger.Metadata = ["request": "\(record.id)"]
        metadata["container"] = record.container.map { "\($0)" }
        metadata["user"] = record.user.map { "\($0)" }
        metadata["address"] = record.address.map { "\($0)" }
        metadata["traceparent"] = record.traceparent.map { "\($0)" }
        if leftOut > 0 { metadata["leftOut"] = "\(leftOut)" }
        logger.info("\(record.line(now: now()))", metadata: metadata)
    }

    private func isChosen(_ record: RequestRecord) -> Bool {
        switch logged {
        case .all: true
        case .refused: record.isRefused
        case .slow: record.duration >= slow
        case .none: false
        }
    }

    /// - Returns: whether to log, and the number of lines suppressed since the last.
    private func take() -> (isAllowed: Bool, leftOut: Int) {
        let minute = now().wholeSeconds / 60
        return state.withLock { state in
            if state.minute != minute { (state.minute, state.lines) = (minute, 0) }
            guard state.lines < most else {
                state.leftOut += 1
                return (false, 0)
            }
            state.lines += 1
            defer { state.leftOut = 0 }
            return (true, state.leftOut)
        }
    }
}
