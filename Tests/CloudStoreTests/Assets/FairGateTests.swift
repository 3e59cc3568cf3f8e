import CloudModel
import Synchronization
import Testing

@testable import CloudStore

/// The queue for previews.
@Suite(.timeLimit(.minutes(20)))
struct FairGateTests {
    @Test("Accounts take turns, however many of one wait")
    func accountsTakeTurns() async throws {
        let gate = FairGate(places: 1, mostWaiting: 100)
        let order = Order()
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gate.pass("first") { for await _ in held {} } }
            while !gate.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for (account, count) in [("a", 50), ("b", 2), ("c", 1)] {
                for _ in 0..<count {
                    group.addTask { try await gate.pass(account) { order.note(account) } }
                }
                while gate.waiting(of: account) < count { try await Task.sleep(for: .milliseconds(1)) }
            }
            holder.finish()
            try await group.waitForAll()
        }
        let entered = order.entered
        #expect(entered.prefix(5) == ["a", "b", "c", "a", "b"])
        #expect(entered.dropFirst(5).allSatisfy { $0 == "a" } && entered.count == 53)
    }

    @Test("Of one account so many wait and no more; others still may")
    func waitingIsBounded() async throws {
        let gate = FairGate(places: 1, mostWaiting: 3)
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gate.pass("first") { for await _ in held {} } }
            while !gate.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for _ in 0..<3 { group.addTask { try await gate.pass("a") {} } }
            while gate.waiting(of: "a") < 3 { try await Task.sleep(for: .milliseconds(1)) }
            let error = await #expect(throws: ServerError.self) { try await gate.pass("a") {} }
            #expect(error?.code == .throttled)
            #expect(error?.reason.contains("at most 3 may (limit.previewsPerAccount)") == true)
            group.addTask { try await gate.pass("b") {} }
            while gate.waiting(of: "b") < 1 { try await Task.sleep(for: .milliseconds(1)) }
            holder.finish()
            try await group.waitForAll()
        }
    }
}

/// The accounts in the order in which they were let in.
private final class Order: Sendable {
    private let accounts = Mutex<[String]>([])

    var entered: [String] { accounts.withLock(\.self) }

    func note(_ account: String) { accounts.withLock { $0.append(account) } }
}
