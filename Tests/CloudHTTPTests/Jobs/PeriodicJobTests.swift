@testable import CloudHTTP
import TestCloud
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct PeriodicJobTests {
    private struct Fault: Error, CustomStringConvertible { let description: String }

    private let book = LogBook()

    private func job(every interval: Duration, after delay: Duration? = nil) -> PeriodicJob {
        PeriodicJob(every: interval, after: delay, failure: "it failed", logger: book.logger())
    }

    @Test("A job runs repeatedly until the task is cancelled")
    func runsUntilCancelled() async {
        let (runs, source) = AsyncStream<Void>.makeStream()
        let task = Task { [job = job(every: .milliseconds(1))] in await job.run { source.yield() } }
        var seen = 0
        for await _ in runs {
            seen += 1
            if seen == 3 { break }
        }
        task.cancel()
        await task.value
        #expect(book.lines.isEmpty)
    }

    @Test("Cancelling ends a pause at once", arguments: [nil, .zero] as [Duration?])
    func pause(delay: Duration?) async {
        let (runs, source) = AsyncStream<Void>.makeStream()
        let task = Task { [job = job(every: .seconds(1_000_000), after: delay)] in
            await job.run { source.yield() }
            source.finish()
        }
        // The first run of a job without a delay does not wait for the interval.
        if delay == .zero { for await _ in runs { break } }
        task.cancel()
        await task.value
    }

    @Test("A repeated failure is logged once, and again after a different failure or a success")
    func failureLog() async {
        let script = Script(["a", "a", "a", "b", "a", "", "a", "a"])
        let (ends, end) = AsyncStream<Void>.makeStream()
        let task = Task { [job = job(every: .milliseconds(1))] in
            await job.run {
                guard let next = script.next() else { return end.finish() }
                if !next.isEmpty { throw Fault(description: next) }
            }
        }
        for await _ in ends {}
        task.cancel()
        await task.value
        #expect(book.lines == ["a", "b", "a", "a"].map { "warning it failed error=\($0)" })
    }

    @Test("A cancelled run is not logged as a failure")
    func cutShort() async {
        let (runs, source) = AsyncStream<Void>.makeStream()
        let task = Task { [job = job(every: .seconds(1), after: .zero)] in
            await job.run {
                source.yield()
                try await Task.sleep(for: .seconds(1_000_000))
            }
        }
        for await _ in runs { break }
        task.cancel()
        await task.value
        #expect(book.lines.isEmpty)
    }
}

/// The results of one run after the other.
private final class Script: Sendable {
    private let outcomes: Mutex<[String]>

    init(_ outcomes: [String]) { self.outcomes = Mutex(outcomes) }

    /// Nil once there are no more.
    func next() -> String? { outcomes.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
