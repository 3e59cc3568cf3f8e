import CloudModel
import DequeModule
import Synchronization

/// Lets so many through at a time. The others wait, and one of each owner is let in after the other, so that who asks
/// for much keeps nobody else waiting. Those of one owner are let in as they came.
final class FairSemaphore: Sendable {
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var places: Int
        var lastID = 0
        var waiters: [String: Deque<Waiter>] = [:]
        /// Owners that wait, the next first.
        var queue: Deque<String> = []
    }

    private let state: Mutex<State>
    private let mostWaiting: Int
    private let refusal: @Sendable (_ waiting: Int) -> ServerError

    /// - Parameters:
    ///   - mostWaiting: how many of one owner may wait.
    ///   - refusal: the error for one more.
    init(places: Int, mostWaiting: Int, refusal: @escaping @Sendable (_ waiting: Int) -> ServerError) {
        state = Mutex(State(places: places))
        self.mostWaiting = mostWaiting
        self.refusal = refusal
    }

    /// Runs `body` once there is a place for it.
    ///
    /// - Parameter owner: who asks; the same for all where none are told apart.
    /// - Throws: the refusal when too many of the owner wait; `CancellationError` when the task is cancelled while it
    ///   waits; what `body` throws.
    func run<T: Sendable>(for owner: String = "", _ body: () async throws -> T) async throws -> T {
        try await enter(owner)
        defer { leave() }
        return try await body()
    }

    /// True if the next task has to wait.
    var isFull: Bool { state.withLock { $0.places == 0 } }

    /// The number of an owner's tasks that wait.
    func waiting(of owner: String = "") -> Int { state.withLock { $0.waiters[owner]?.count ?? 0 } }

    private func enter(_ owner: String) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Void, any Error>? in
                    // Seen under the lock: a cancellation that comes later finds the waiter.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.places > 0 {
                        state.places -= 1
                        return .success(())
                    }
                    let count = state.waiters[owner]?.count ?? 0
                    if count >= mostWaiting { return .failure(refusal(count)) }
                    if count == 0 { state.queue.append(owner) }
                    state.waiters[owner, default: []].append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { Self.remove(id, of: owner, &$0) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func remove(_ id: Int, of owner: String, _ state: inout State) -> Waiter? {
        guard let index = state.waiters[owner]?.firstIndex(where: { $0.id == id }) else { return nil }
        let waiter = state.waiters[owner]?.remove(at: index)
        if state.waiters[owner]?.isEmpty == true {
            state.waiters[owner] = nil
            state.queue.removeAll { $0 == owner }
        }
        return waiter
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard let owner = state.queue.popFirst() else {
                state.places += 1
                return nil
            }
            let next = state.waiters[owner]?.popFirst()
            if state.waiters[owner]?.isEmpty == true {
                state.waiters[owner] = nil
            } else {
                state.queue.append(owner)
            }
            return next
        }
        next?.continuation.resume()
    }
}
