import Foundation
import NIOPosix

/// Runs requests with large bodies on threads of their own.
///
/// To read a body takes processor time by its bytes, and nothing else can run on a thread meanwhile. The cooperative
/// pool has a thread for each core, so a few of the largest bodies would hold up every other request.
final class LargeBodies: TaskExecutor {
    /// Bytes of a body up to which a request stays in the cooperative pool: reading them takes a few milliseconds.
    static let smallest = 256 << 10

    /// Half of the cores, so that the others are left to everybody else.
    static let threadCount = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)
    static let executor = LargeBodies()

    private let threads = NIOThreadPool(numberOfThreads: threadCount)

    private init() {
        threads.start()
    }

    /// The executor of a request; nil for the cooperative pool.
    ///
    /// - Parameters:
    ///   - size: bytes of the body; nil when it is still coming and the head does not tell.
    ///   - isStreamed: true for bodies that are taken piece by piece, whatever their size.
    static func executor(forBodyOf size: Int?, isStreamed: Bool) -> (any TaskExecutor)? {
        guard !isStreamed, size.map({ $0 > smallest }) ?? true else { return nil }
        return executor
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
