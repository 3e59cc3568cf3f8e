package import CloudModel
import DequeModule
import Synchronization

/// A semaphore with fair queues: owners take turns, so that an owner with many tasks does not delay the others. Each owner's
/// tasks go in order of arrival. Lower ranks go first.
package final class FairSemaphore: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Line: Hashable {
        let owner: String
        let rank: Int
    }

    private struct State {
        var places: Int
        var lastID = 0
        var waiters: [Line: Deque<Waiter>] = [:]
        /// Owners with waiting tasks, by rank, next owner first.
        var queues: [Deque<Line>]
        /// Numbers of waiting tasks by rank.
        var waiting: [Int]
    }

    private let state: Mutex<State>
    private let mostWaiting: Int
    private let mostInRank: Int
    private let refusal: @Sendable (_ waiting: Int) -> ServerError

    /// - Parameters:
    ///   - mostWaiting: the most waiting tasks per owner.
    ///   - ranks: the number of ranks.
    ///   - mostInRank: the most waiting tasks per rank, of all owners together.
    ///   - refusal: makes the error for further tasks.
    package init(
        places: Int, mostWaiting: Int, ranks: Int = 1, mostInRank: Int = .max,
        refusal: @escaping @Sendable (_ waiting: Int) -> ServerError
    ) {
        state = Mutex(
            State(
                places: places, queues: Array(repeating: [], count: ranks), waiting: Array(repeating: 0, count: ranks)))
        self.mostWaiting = mostWaiting
        self.mostInRank = mostInRank
        self.refusal = refusal
    }

    /// Runs `body` when a place is free.
    ///
    /// - Parameters:
    ///   - owner: the owner's name; leave empty to treat all tasks alike.
    ///   - rank: 0 goes first.
    ///   - isDismissed: checked before waiting, for an earlier ``dismiss()``.
    /// - Throws: the refusal when a queue is full; `CancellationError` when the waiting task is cancelled; ``Dismissed`` when
    ///   the wait is dismissed; errors of `body`.
    package func run<T: Sendable>(
        for owner: String = "", rank: Int = 0, unless isDismissed: () -> Bool = { false },
        _ body: () async throws -> T
    ) async throws -> T {
        try await enter(Line(owner: owner, rank: rank), unless: isDismissed)
        defer { leave() }
        return try await body()
    }

    /// Thrown by a dismissed wait.
    package struct Dismissed: Error {}

    /// Ends all waits with ``Dismissed``.
    package func dismiss() {
        let waiters = state.withLock { state in
            defer {
                state.waiters = [:]
                for rank in state.queues.indices { (state.queues[rank], state.waiting[rank]) = ([], 0) }
            }
            return state.waiters.values.flatMap(\.self)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: Dismissed()) }
    }

    /// True if the next task has to wait.
    var isFull: Bool { state.withLock { $0.places == 0 } }

    /// The number of an owner's waiting tasks.
    func waiting(of owner: String = "") -> Int {
        state.withLock { state in
            state.queues.indices.reduce(0) { $0 + (state.waiters[Line(owner: owner, rank: $1)]?.count ?? 0) }
        }
    }

    private func enter(_ line: Line, unless isDismissed: () -> Bool) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Void, any Error>? in
                    // Checked under the lock: a later cancellation finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.places > 0 {
                        state.places -= 1
                        return .success(())
                    }
                    if isDismissed() { return .failure(Dismissed()) }
                    let count = state.waiters[line]?.count ?? 0
                    if count >= mostWaiting || state.waiting[line.rank] >= mostInRank {
                        return .failure(refusal(count))
                    }
                    if count == 0 { state.queues[line.rank].append(line) }
                    state.waiting[line.rank] += 1
                    state.waiters[line, default: []].append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { Self.remove(id, of: line, &$0) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func remove(_ id: Int, of line: Line, _ state: inout State) -> Waiter? {
        guard let index = state.waiters[line]?.firstIndex(where: { $0.id == id }) else { return nil }
        let waiter = state.waiters[line]?.remove(at: index)
        state.waiting[line.rank] -= 1
        if state.waiters[line]?.isEmpty == true {
            state.waiters[line] = nil
            state.queues[line.rank].removeAll { $0 == line }
        }
        return waiter
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard let rank = state.queues.firstIndex(where: { !$0.isEmpty }), let line = state.queues[rank].popFirst()
            else {
                state.places += 1
                return nil
            }
            let next = state.waiters[line]?.popFirst()
            state.waiting[rank] -= 1
            if state.waiters[line]?.isEmpty == true {
                state.waiters[line] = nil
            } else {
                state.queues[rank].append(line)
            }
            return next
        }
        next?.continuation.resume()
    }
}
