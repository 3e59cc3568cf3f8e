import CloudModel
import CloudStore
import Synchronization
import Testing

@testable import CloudPages

/// Requests that ask for a page's order while it is made.
@Suite(.timeLimit(.minutes(5)))
struct PageOrdersTests {
    private struct Broken: Error {}

    /// Notes how often orders are made, and how many at once.
    private final class Maker: Sendable {
        private let state = Mutex((asked: 0, made: 0, running: 0, most: 0))

        var asked: Int { state.withLock { $0.asked } }
        var made: Int { state.withLock { $0.made } }
        var most: Int { state.withLock { $0.most } }

        func noteAsked() { state.withLock { $0.asked += 1 } }

        func make(_ work: () async throws -> Void = {}) async throws -> PageOrder {
            state.withLock { state in
                state.made += 1
                state.running += 1
                state.most = max(state.most, state.running)
            }
            defer { state.withLock { $0.running -= 1 } }
            try await work()
            var builder = PageOrderBuilder(isByTime: true, layout: .automatic, root: nil)
            return builder.order()
        }
    }

    private static let others = 8

    private let orders = PageOrders()
    private let maker = Maker()
    private let key = PageOrders.Key(container: "c", environment: .development, id: "a", isOwner: false)

    private func stamp(_ items: [String]) -> PageOrders.Stamp {
        PageOrders.Stamp(position: nil, items: items, rule: nil, layout: .automatic)
    }

    /// Asks for an order, and in others' tasks for those of `stamps` before it is made.
    private func ask(
        _ stamp: PageOrders.Stamp, failing fails: Bool = false, besides stamps: [PageOrders.Stamp]
    ) async throws {
        let (begins, begin) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let order = { () async throws -> PageOrder in
                    try await maker.make {
                        begin.finish()
                        for await _ in ends {}
                        if fails { throw Broken() }
                    }
                }
                do { _ = try await orders.order(key, stamp, make: order) } catch is Broken { #expect(fails) }
            }
            for await _ in begins {}
            for other in stamps {
                group.addTask { [maker, orders, key] in
                    maker.noteAsked()
                    _ = try await orders.order(key, other) { try await maker.make() }
                }
            }
            while maker.asked < stamps.count { await Task.yield() }
            for _ in 0..<100 { await Task.yield() }
            end.finish()
            try await group.waitForAll()
        }
    }

    @Test("An order is made once for all who ask meanwhile") func once() async throws {
        try await ask(stamp(["x"]), besides: Array(repeating: stamp(["x"]), count: Self.others))
        #expect(maker.made == 1)
    }

    @Test("Another state of the page is made anew, after the order that is being made") func another() async throws {
        try await ask(stamp(["x"]), besides: Array(repeating: stamp(["y"]), count: Self.others))
        #expect(maker.made == 2 && maker.most == 1)
    }

    @Test("An order that could not be made is made by the next who waits") func failure() async throws {
        try await ask(stamp(["x"]), failing: true, besides: Array(repeating: stamp(["x"]), count: Self.others))
        #expect(maker.made == 2 && maker.most == 1)
    }
}
