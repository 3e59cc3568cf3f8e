import CloudModel
import Dispatch

/// Hashes passwords on threads of its own, two at a time: each takes a tenth of a second and 32 MiB, and requests
/// must not wait behind it.
final class PasswordWork: Sendable {
    /// The number of those that may wait. The last of them waits for about two seconds.
    private static let mostWaiting = 38

    /// Bytes a password may have.
    static let longest = 1024

    private let cost: Int
    private let threads = DispatchQueue(label: "passwords", attributes: .concurrent)
    private let queue = FairSemaphore(places: 2, mostWaiting: mostWaiting) { _ in
        ServerError(
            .tryAgainLater, "too many people are signing in at once; try again", .limit(mostWaiting), retryAfter: 5)
    }

    /// - Parameter cost: of new passwords, the power of two of scrypt's rounds.
    init(cost: Int) { self.cost = cost }

    func hash(_ password: String) async throws -> PasswordHash {
        try await run { [cost] in try PasswordHash(password: password, cost: cost) }
    }

    /// Returns true if this is the password. It takes as long when there is no hash to compare with.
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
        try await queue.run {
            try await withCheckedThrowingContinuation { continuation in
                threads.async { continuation.resume(with: Result(catching: work)) }
            }
        }
    }
}
