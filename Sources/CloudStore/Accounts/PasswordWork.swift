import CloudModel
import Foundation
import Synchronization

/// Hashes passwords on threads of its own, two at a time: each takes a tenth of a second and 32 MiB, and requests
/// must not wait behind it.
final class PasswordWork: Sendable {
    /// How many may wait. The last of them waits for about two seconds.
    private static let longestQueue = 40

    /// Bytes a password may have.
    static let longest = 1024

    private let cost: Int
    private let queue: OperationQueue
    private let waiting = Mutex(0)

    /// - Parameter cost: of new passwords, the power of two of scrypt's rounds.
    init(cost: Int) {
        self.cost = cost
        queue = OperationQueue()
        queue.name = "passwords"
        queue.maxConcurrentOperationCount = 2
    }

    func hash(_ password: String) async throws -> PasswordHash {
        try await run { [cost] in try PasswordHash(password: password, cost: cost) }
    }

    /// Whether this is the password; it takes as long when there is none to compare with.
    func fits(_ password: String, _ stored: PasswordHash?) async throws -> Bool {
        try await run { [cost] in
            // No password is longer, and normalising a long text takes its time.
            guard password.utf8.count <= Self.longest else { return false }
            guard let stored else {
                _ = try PasswordHash(password: password, cost: cost)
                return false
            }
            return stored.fits(password)
        }
    }

    private func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        let isWelcome = waiting.withLock { waiting in
            guard waiting < Self.longestQueue else { return false }
            waiting += 1
            return true
        }
        guard isWelcome else {
            throw ServerError(.tryAgainLater, "too many people are signing in right now", retryAfter: 5)
        }
        defer { waiting.withLock { $0 -= 1 } }
        return try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Result(catching: work)) }
        }
    }
}
