import Foundation
import NIOPosix

/// Runs requests with large bodies on their own threads.
///
/// Parsing takes processor time in proportion to the body and blocks its thread. The cooperative pool has one thread
/// per core, so a few large bodies would delay all other requests.
final class LargeBodies: TaskExecutor {
    /// Largest body for the cooperative pool, in bytes: its parsing takes a few milliseconds.
    static let smallest = 256 << 10

    /// Half of the cores, leaving the rest to other requests.
    static let threadCount = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    static let executor = LargeBodies()

    private let threads = NIOThreadPool(numberOfThreads: threadCount)

    private init() {
        threads.start()
    }

    /// The executor for a request; nil for the cooperative pool.
    ///
    /// - Parameters:
    ///   - size: bytes of the body; nil if unknown.
    ///   - isStreamed: true for a body processed piece by piece, at any size.
    static func executor(forBodyOf size: Int?, isStreamed: Bool) -> (any TaskExecutor)? {
        guard !isStreamed, size.map({ $0 > smallest }) ?? true else { return nil }
        return executor
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
