import CloudModel
import DequeModule
import Synchronization

/// Lets so many through at a time. The others wait, and one of each account is let in after the other, so that who asks
/// for much keeps nobody else waiting.
final class FairGate: Sendable {
    private typealias Waiting = CheckedContinuation<Void, any Error>

    private struct State {
        var places: Int
        var waiting: [String: Deque<Waiting>] = [:]
        /// Accounts that wait, the next first.
        var turns: Deque<String> = []
    }

    private let state: Mutex<State>
    private let mostWaiting: Int

    /// - Parameter mostWaiting: how many of one account may wait.
    init(places: Int, mostWaiting: Int) {
        state = Mutex(State(places: places))
        self.mostWaiting = mostWaiting
    }

    /// - Throws: `THROTTLED` when too many of the account wait; what `body` throws.
    func pass<T: Sendable>(_ account: String, _ body: () async throws -> T) async throws -> T {
        try await enter(account)
        defer { leave() }
        return try await body()
    }

    /// Whether the next one waits.
    var isFull: Bool { state.withLock { $0.places == 0 } }

    /// How many of an account wait.
    func waiting(of account: String) -> Int { state.withLock { $0.waiting[account]?.count ?? 0 } }

    private func enter(_ account: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: Waiting) in
            let answer = state.withLock { state -> Result<Void, any Error>? in
                if state.places > 0 {
                    state.places -= 1
                    return .success(())
                }
                let count = state.waiting[account]?.count ?? 0
                guard count < mostWaiting else {
                    return .failure(
                        ServerError(
                            .throttled,
                            "\(count) previews of this account's pictures wait, at most \(mostWaiting) may "
                                + "(limit.previewsPerAccount)", retryAfter: 5))
                }
                if count == 0 { state.turns.append(account) }
                state.waiting[account, default: []].append(continuation)
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }

    private func leave() {
        let next = state.withLock { state -> Waiting? in
            guard let account = state.turns.popFirst() else {
                state.places += 1
                return nil
            }
            let next = state.waiting[account]?.popFirst()
            if state.waiting[account]?.isEmpty == true {
                state.waiting[account] = nil
            } else {
                state.turns.append(account)
            }
            return next
        }
        next?.resume()
    }
}
