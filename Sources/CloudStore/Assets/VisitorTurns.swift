import CloudEngine
import CloudModel
import Synchronization

/// Bounds the previews of one account's pictures that are made for a visitor at a time: a program stays free for another
/// visitor, where there is more than one.
final class VisitorTurns: Sendable {
    private struct Line {
        let turns: FairSemaphore
        /// Previews that wait or are made.
        var previews = 1
    }

    private let places: Int
    private let mostWaiting: Int
    private struct Key: Hashable {
        let visitor: String
        let account: String
    }

    private let lines = Mutex<[Key: Line]>([:])

    /// - Parameters:
    ///   - programs: the number of programs that make previews at a time.
    ///   - mostWaiting: the largest number of a visitor's previews that wait.
    init(programs: Int, mostWaiting: Int) { (places, self.mostWaiting) = (max(1, programs - 1), mostWaiting) }

    /// Runs `body` when a program may make another preview of the account's pictures for a visitor.
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
            let turns = FairSemaphore(places: places, mostWaiting: mostWaiting) { [mostWaiting] count in
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
