package import CloudModel
package import Logging

/// Repeats work, with a pause before each run.
package struct PeriodicJob: Sendable {
    /// The pause between two runs.
    private let interval: Duration
    /// The time until the first run.
    private let delay: Duration
    /// The line that is logged when a run fails.
    private let failure: String
    private let level: Logger.Level
    private let logger: Logger
    private let clock: SettableClock

    /// - Parameters:
    ///   - interval: the pause between two runs.
    ///   - delay: the time until the first run; `interval` when nil.
    ///   - failure: the line that is logged when a run fails.
    ///   - level: the log level of the failure line.
    ///   - clock: a jump of this clock ends the pause, for work that depends on the time of day.
    package init(
        every interval: Duration, after delay: Duration? = nil, failure: String, level: Logger.Level = .warning,
        logger: Logger, clock: SettableClock = SettableClock()
    ) {
        self.clock = clock
        self.interval = interval
        self.delay = delay ?? interval
        self.failure = failure
        self.level = level
        self.logger = logger
    }

    /// Repeats the work until the task is cancelled. Cancellation ends a pause immediately.
    ///
    /// A failed run does not end the job. Repeated identical failures are logged once.
    ///
    /// - Parameter rest: awaited after a successful run, before the pause.
    package func run(rest: () async -> Void = {}, _ work: () async throws -> Void) async {
        var pause = delay
        var jumps = clock.jumps
        var known: String?
        while true {
            do { try await clock.sleep(for: pause, since: jumps) } catch { return }
            // Read before the work reads the time, so that a jump during the work triggers another run.
            jumps = clock.jumps
            do {
                try await work()
                known = nil
                await rest()
            } catch {
                // A cancelled run is not a failure.
                guard !Task.isCancelled else { return }
                let text = "\(error)"
                if text != known { logger.log(level: level, "\(failure)", metadata: ["error": "\(text)"]) }
                known = text
            }
            pause = interval
        }
    }
}
