import CloudEngine
import CloudModel
import Dispatch

/// A caller's place in the queue for password hashing.
package struct PasswordTurn: Hashable, Sendable {
    /// Lower ranks are served first.
    package enum Rank: Int, CaseIterable, Sendable {
        /// Browsers with an earlier sign-in, signed-in people, and operators.
        case known
        /// Addresses without a failed attempt.
        case fresh
        case other
    }

    /// An address or a browser; owners of the same rank are served in turns.
    let owner: String
    let rank: Rank

    package init(owner: String, rank: Rank) {
        self.owner = owner
        self.rank = rank
    }

    /// The turn of commands and of signed-in people.
    package static let known = PasswordTurn(owner: "", rank: .known)
}

/// Hashes passwords on separate threads, two at a time: a hash takes 0.1 s and 32 MiB, and must not delay other requests.
package final class PasswordWork: Sendable {
    /// The queue limit per owner. With an otherwise empty queue, the last caller waits about two seconds.
    private static let mostWaiting = 38
    /// The queue limit per rank. The last caller of a full rank waits half a minute.
    private static let mostInRank = 600

    /// The largest size of a password, in bytes.
    package static let longest = 1024

    private let cost: Int
    private let threads = DispatchQueue(label: "passwords", attributes: .concurrent)
    private let queue = FairSemaphore(
        places: 2, mostWaiting: mostWaiting, ranks: PasswordTurn.Rank.allCases.count, mostInRank: mostInRank
    ) { _ in
        ServerError(
            .tryAgainLater, "too many people are signing in at once; try again", .limit(mostWaiting), retryAfter: 5)
    }

    /// - Parameter cost: scrypt's cost as a power of two, for new passwords.
    init(cost: Int) { self.cost = cost }

    package func hash(_ password: String, _ turn: PasswordTurn = .known) async throws -> PasswordHash {
        try await run(turn) { [cost] in try PasswordHash(password: password, cost: cost) }
    }

    /// Returns true if the password matches. Takes as long without a stored hash.
    package func fits(_ password: String, _ stored: PasswordHash?, _ turn: PasswordTurn = .known) async throws -> Bool {
        try await run(turn) { [cost] in
            // Longer passwords never match, and normalizing a long text takes time.
            guard password.utf8.count <= Self.longest else { return false }
            guard let stored else {
                _ = try PasswordHash(password: password, cost: cost)
                return false
            }
            return stored.fits(password)
        }
    }

    private func run<T: Sendable>(
        _ turn: PasswordTurn, _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        try await queue.run(for: turn.owner, rank: turn.rank.rawValue) {
            try await withCheckedThrowingContinuation { continuation in
                threads.async { continuation.resume(with: Result(catching: work)) }
            }
        }
    }
}
