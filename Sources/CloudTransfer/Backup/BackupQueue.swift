import CloudStore
import Dispatch
import Synchronization

/// A thread for blocking work of minutes.
enum BackupQueue {
    private static let queue = DispatchQueue(label: "backup", qos: .utility)

    /// - Parameter body: polls `isCancelled` and stops early when true.
    static func run<T: Sendable>(
        _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> T
    ) async throws -> T {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body { cancellation.isCancelled } }) }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private final class Cancellation: Sendable {
        private let value = Atomic(false)
        var isCancelled: Bool { value.load(ordering: .relaxed) }
        func cancel() { value.store(true, ordering: .relaxed) }
    }
}
