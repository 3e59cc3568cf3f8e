@testable import CloudEngine
import CloudModel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct FairSemaphoreTests {
    private static func semaphore(places: Int = 1, mostWaiting: Int = 100) -> FairSemaphore {
        FairSemaphore(places: places, mostWaiting: mostWaiting) {
            ServerError(.throttled, "\($0) wait", .missing(.record))
        }
    }

    @Test("Owners take turns, however many tasks of one owner wait")
    func ownersTakeTurns() async throws {
        let semaphore = Self.semaphore()
        let order = Order()
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await semaphore.run(for: "first") { for await _ in held {} } }
            while !semaphore.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for (owner, count) in [("a", 50), ("b", 2), ("c", 1)] {
                for _ in 0..<count {
                    group.addTask { try await semaphore.run(for: owner) { order.note(owner) } }
                }
                while semaphore.waiting(of: owner) < count { try await Task.sleep(for: .milliseconds(1)) }
            }
            holder.finish()
            try await group.waitForAll()
        }
        let entered = order.entered
        #expect(entered.prefix(5) == ["a", "b", "c", "a", "b"])
        #expect(entered.dropFirst(5).allSatisfy { $0 == "a" } && entered.count == 53)
    }

    @Test("A lower rank goes first, and each rank has its own limit")
    func ranks() async throws {
        let semaphore = FairSemaphore(places: 1, mostWaiting: 100, ranks: 3, mostInRank: 4) { _ in
            ServerError(.throttled, "many wait", .missing(.record))
        }
        let order = Order()
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await semaphore.run { for await _ in held {} } }
            while !semaphore.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for (owner, rank, count) in [("c", 2, 2), ("b1", 1, 3), ("b2", 1, 1), ("a", 0, 2)] {
                for _ in 0..<count {
                    group.addTask { try await semaphore.run(for: owner, rank: rank) { order.note(owner) } }
                }
                while semaphore.waiting(of: owner) < count { try await Task.sleep(for: .milliseconds(1)) }
            }
            await #expect(throws: ServerError.self) { try await semaphore.run(for: "b3", rank: 1) {} }
            group.addTask { try await semaphore.run(for: "a", rank: 0) { order.note("a") } }
            while semaphore.waiting(of: "a") < 3 { try await Task.sleep(for: .milliseconds(1)) }
            holder.finish()
            try await group.waitForAll()
        }
        #expect(order.entered == ["a", "a", "a", "b1", "b2", "b1", "b1", "c", "c"])
    }

    @Test("One owner's waiting tasks are limited, and other owners may still wait")
    func waitingIsBounded() async throws {
        let semaphore = Self.semaphore(mostWaiting: 3)
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await semaphore.run(for: "first") { for await _ in held {} } }
            while !semaphore.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for _ in 0..<3 { group.addTask { try await semaphore.run(for: "a") {} } }
            while semaphore.waiting(of: "a") < 3 { try await Task.sleep(for: .milliseconds(1)) }
            let error = await #expect(throws: ServerError.self) { try await semaphore.run(for: "a") {} }
            #expect(error?.code == .throttled && error?.reason == "3 wait")
            group.addTask { try await semaphore.run(for: "b") {} }
            while semaphore.waiting(of: "b") < 1 { try await Task.sleep(for: .milliseconds(1)) }
            holder.finish()
            try await group.waitForAll()
        }
    }

    @Test("One owner's tasks enter in order of arrival, as places become free")
    func arrivalOrder() async throws {
        let semaphore = Self.semaphore(places: 2)
        let order = Order()
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<2 {
                group.addTask {
                    try await semaphore.run {
                        // One place stays taken, so that those that wait go through the other one by one.
                        if place == 0 {
                            for await _ in held {}
                        } else {
                            while order.entered.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
                        }
                    }
                }
            }
            while !semaphore.isFull { try await Task.sleep(for: .milliseconds(1)) }
            for number in 1...5 {
                group.addTask {
                    try await semaphore.run {
                        order.note("\(number)")
                    }
                }
                while semaphore.waiting() < number { try await Task.sleep(for: .milliseconds(1)) }
            }
            order.note("go")
            while order.entered.count < 6 { try await Task.sleep(for: .milliseconds(1)) }
            holder.finish()
            try await group.waitForAll()
        }
        #expect(order.entered == ["go", "1", "2", "3", "4", "5"])
        #expect(!semaphore.isFull)
    }

    @Test("A cancelled task leaves the queue at once, and frees its place there")
    func cancelledWhileWaiting() async throws {
        let semaphore = Self.semaphore(mostWaiting: 1)
        let (held, holder) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await semaphore.run { for await _ in held {} } }
            while !semaphore.isFull { try await Task.sleep(for: .milliseconds(1)) }
            let cancelled = Task { try await semaphore.run(for: "a") { Issue.record("it was let in") } }
            while semaphore.waiting(of: "a") < 1 { try await Task.sleep(for: .milliseconds(1)) }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            #expect(semaphore.waiting(of: "a") == 0)
            group.addTask { try await semaphore.run(for: "a") {} }
            while semaphore.waiting(of: "a") < 1 { try await Task.sleep(for: .milliseconds(1)) }
            holder.finish()
            try await group.waitForAll()
        }
        #expect(!semaphore.isFull)
    }

    @Test("A task cancelled before it asks does not enter")
    func cancelledBefore() async throws {
        let semaphore = Self.semaphore()
        let task = Task {
            while !Task.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
            _ = try await semaphore.run { Issue.record("it was let in") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!semaphore.isFull)
    }

    @Test("A throwing task frees its place")
    func throwing() async throws {
        let semaphore = Self.semaphore()
        await #expect(throws: ServerError.self) {
            try await semaphore.run { throw ServerError(.notFound, "nothing there", .missing(.record)) }
        }
        #expect(!semaphore.isFull)
    }
}

/// The owners in the order in which they were let in.
private final class Order: Sendable {
    private let owners = Mutex<[String]>([])

    var entered: [String] { owners.withLock(\.self) }

    func note(_ owner: String) { owners.withLock { $0.append(owner) } }
}
