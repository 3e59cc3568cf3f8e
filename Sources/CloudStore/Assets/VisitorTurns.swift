import CloudEngine
import CloudModel
import Synchronization

/// Has at most two previews of one account's pictures made for a visitor at a time, so that another visitor's never wait behind
/// all of them.
final class VisitorTurns: Sendable {
    private struct Line {
        let turns: FairSemaphore
        /// Previews that wait or are made.
        var previews = 1
    }

    /// The number of programs that make previews at a time.
    private static let places = 2

    private let mostWaiting: Int
    private struct Key: Hashable {
        let visitor: String
        let account: String
    }

    private let lines = Mutex<[Key: Line]>([:])

    /// - Parameter mostWaiting: the largest number of a visitor's previews that wait.
    init(mostWaiting: Int) { self.mostWaiting = mostWaiting }

    /// Runs `body` when a visitor has fewer than two previews of the account's pictures made.
    ///
    /// - Parameter visitor: the visitor's network; nil for previews that nobody asked for.
    /// - Throws: `THROTTLED` when too many of the visitor's previews wait; errors of `body`.
    func run<T: Sendable>(for visitor: String?, of account: String, _ body: () async throws -> T) async throws -> T {
        guard let visitor else { return try await body() }
        let key = Key(visitor: visitor, account: account)
        let turns = enter(key)
        defer { leave(key) }
        return try await turns.run(body)
    }

    private func enter(_ key: Key) -> FairSemaphore {
        lines.withLock { lines in
            if let line = lines[key] {
                lines[key]?.previews += 1
                return line.turns
            }
            let turns = FairSemaphore(places: Self.places, mostWaiting: mostWaiting) { [mostWaiting] count in
                ServerError(
                    .throttled,
                    "\(count) previews for your address wait, at most \(mostWaiting) may (limit.previewsPerAccount)",
                    .limit(mostWaiting, "limit.previewsPerAccount"), retryAfter: 5)
            }
            lines[key] = Line(turns: turns)
            return turns
        }
    }

    private func leave(_ key: Key) {
        lines.withLock { lines in
            lines[key]?.previews -= 1
            if lines[key]?.previews == 0 { lines[key] = nil }
        }
    }
}
