import CloudModel
import Dispatch

/// The place of somebody in the line of those whose password is to be hashed.
package struct PasswordTurn: Hashable, Sendable {
    /// Lower ranks go first.
    package enum Rank: Int, CaseIterable, Sendable {
        /// Browsers that have signed in before, people who are signed in, and operators.
        case known
        /// Addresses without a failed attempt.
        case fresh
        case other
    }

    /// Who takes turns with the others of the rank: an address, or a browser.
    let owner: String
    let rank: Rank

    package init(owner: String, rank: Rank) {
        self.owner = owner
        self.rank = rank
    }

    /// The turn of commands and of people who are signed in.
    package static let known = PasswordTurn(owner: "", rank: .known)
}

/// Hashes passwords on threads of its own, two at a time: each takes a tenth of a second and 32 MiB, and requests
/// must not wait behind it.
final class PasswordWork: Sendable {
    /// The number of those that may wait, of one owner. The last of them waits for about two seconds where no others do.
    private static let mostWaiting = 38
    /// The number of those that may wait, of one rank. Where one address after the other waits, the last of them waits for
    /// half a minute.
    private static let mostInRank = 600

    /// Bytes a password may have.
    static let longest = 1024

    private let cost: Int
    private let threads = DispatchQueue(label: "passwords", attributes: .concurrent)
    private let queue = FairSemaphore(
        places: 2, mostWaiting: mostWaiting, ranks: PasswordTurn.Rank.allCases.count, mostInRank: mostInRank
    ) { _ in
        ServerError(
            .tryAgainLater, "too many people are signing in at once; try again", .limit(mostWaiting), retryAfter: 5)
    }

    /// - Parameter cost: of new passwords, the power of two of scrypt's rounds.
    init(cost: Int) { self.cost = cost }

    func hash(_ password: String, _ turn: PasswordTurn = .known) async throws -> PasswordHash {
        try await run(turn) { [cost] in try PasswordHash(password: password, cost: cost) }
    }

    /// Returns true if this is the password. It takes as long when there is no hash to compare with.
    func fits(_ password: String, _ stored: PasswordHash?, _ turn: PasswordTurn = .known) async throws -> Bool {
        try await run(turn) { [cost] in
            // No password is longer, and normalising a long text takes its time.
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
