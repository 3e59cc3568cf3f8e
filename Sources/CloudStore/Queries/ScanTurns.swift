import CloudEngine
import CloudModel
import Synchronization

/// Lets one query per record type scan records for lack of an index. The others wait for the index or their turn, without a
/// connection.
final class ScanTurns: Sendable {
    private struct Line {
        let turns: FairSemaphore
        /// Queries that wait or scan.
        var queries = 1
    }

    private enum Outcome<T: Sendable>: Sendable {
        case value(T)
        case dismissed
        case late
    }

    /// The most queries per client in the queue.
    private static let mostWaiting = 1_000
    private let lines = Mutex<[Int64: Line]>([:])
    private let dismissals = Atomic(0)

    /// The number of dismissals so far.
    var dismissed: Int { dismissals.load(ordering: .acquiring) }

    /// The types with queries that wait for an index.
    var awaited: Set<Int64> { lines.withLock { Set($0.keys) } }

    /// The number of a type's queries that wait or scan.
    func queries(of type: Int64) -> Int { lines.withLock { $0[type]?.queries ?? 0 } }

    /// Ends all waits, because an index may be ready.
    func dismiss() {
        // Count first, so that queries about to wait notice.
        dismissals.add(1, ordering: .acquiringAndReleasing)
        for line in lines.withLock({ Array($0.values) }) { line.turns.dismiss() }
    }

    /// Runs `body` when its turn comes.
    ///
    /// - Parameters:
    ///   - client: the client's name; clients take turns.
    ///   - seen: the value of ``dismissed`` before the query was found to lack an index.
    /// - Returns: nil when the wait was dismissed or timed out.
    /// - Throws: `THROTTLED` when the client's queue is full; errors of `body`.
    func run<T: Sendable>(
        type: Int64, for client: String, until deadline: ContinuousClock.Instant, since seen: Int,
        _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T? {
        let turns = enter(type)
        defer { leave(type) }
        return try await withThrowingTaskGroup(of: Outcome<T>.self) { group in
            group.addTask {
                do {
                    return .value(try await turns.run(for: client, unless: { self.dismissed != seen }, body))
                } catch is FairSemaphore.Dismissed {
                    return .dismissed
                }
            }
            group.addTask {
                try? await Task.sleep(until: deadline, clock: .continuous)
                return .late
            }
            defer { group.cancelAll() }
            switch try await group.next() {
            case .value(let value)?: return value
            case .late?: return try await lateValue(&group)
            case .dismissed?, nil: return nil
            }
        }
    }

    /// A body that has begun runs to its end.
    private func lateValue<T>(_ group: inout ThrowingTaskGroup<Outcome<T>, any Error>) async throws -> T? {
        try Task.checkCancellation()
        group.cancelAll()
        do {
            guard case .value(let value)? = try await group.next() else { return nil }
            return value
        } catch is CancellationError {
            return nil
        }
    }

    private func enter(_ type: Int64) -> FairSemaphore {
        lines.withLock { lines in
            if let line = lines[type] {
                lines[type]?.queries += 1
                return line.turns
            }
            let turns = FairSemaphore(places: 1, mostWaiting: Self.mostWaiting) { _ in
                ServerError(
                    .throttled, "too many queries wait for an index; try again", .limit(Self.mostWaiting),
                    retryAfter: 1)
            }
            lines[type] = Line(turns: turns)
            return turns
        }
    }

    private func leave(_ type: Int64) {
        lines.withLock { lines in
            lines[type]?.queries -= 1
            if lines[type]?.queries == 0 { lines[type] = nil }
        }
    }
}
