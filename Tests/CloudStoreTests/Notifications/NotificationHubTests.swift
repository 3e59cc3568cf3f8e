import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// Beginnings and ends of waits.
@Suite(.timeLimit(.minutes(20)))
struct NotificationHubTests {
    let hub = NotificationHub()
    private let long = TimeAmount.hours(1)

    @Test("A wake ends the wait of its push token only") func otherTokens() async throws {
        let one = try #require(await hub.listen(to: 1))
        let two = try #require(await hub.listen(to: 2))
        async let ending = one.wait(within: long)
        hub.wake([1, 3])
        #expect(await ending == .woken(nil))
        #expect(await two.wait(within: .milliseconds(1)) == .deadline)
        #expect(await one.wait(within: .milliseconds(1)) == .deadline)
    }

    @Test("An event loop runs other work between the parts of a large wake-up") func crowdInParts() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let woken = Mutex(0)
        let atWork = Mutex(0)
        let (all, source) = AsyncStream<Bool>.makeStream()
        var listeners: [NotificationListener] = []
        for token in Int64(1)...200 {
            let listener = try #require(await hub.listen(to: token))
            listener.wait(until: .now() + long, on: loop) { ending in
                #expect(ending == .woken(nil))
                let count = woken.withLock { woken in
                    woken += 1
                    return woken
                }
                if count == 200 { source.yield(loop.inEventLoop) }
            }
            listeners.append(listener)
        }
        let gate = DispatchSemaphore(value: 0)
        loop.execute { gate.wait() }
        hub.wake(Set(1...200))
        loop.execute { atWork.withLock { $0 = woken.withLock { $0 } } }
        gate.signal()
        #expect(await all.first { _ in true } == true)
        #expect((1..<200).contains(atWork.withLock { $0 }))
        withExtendedLifetime(listeners) {}
        try await group.shutdownGracefully()
    }

    @Test("A wake between listening and waiting ends the wait") func earlyWake() async throws {
        let listener = try #require(await hub.listen(to: 1))
        hub.wake([1])
        hub.wake([1])
        #expect(await listener.wait(within: long) == .woken(nil))
        #expect(await listener.wait(within: .milliseconds(1)) == .deadline)
    }

    @Test("A newer listener releases the earlier one") func newerListener() async throws {
        let earlier = try #require(await hub.listen(to: 1))
        async let ending = {
            let ending = await earlier.wait(within: long)
            earlier.leave()
            return ending
        }()
        let newer = try #require(await hub.listen(to: 1))
        #expect(await ending == .replaced)
        hub.wake([1])
        #expect(await newer.wait(within: long) == .woken(nil))
        earlier.leave()
        #expect(hub.count == 1)
    }

    @Test("A newer listener begins once the earlier one has ended") func succession() async throws {
        let earlier = try #require(await hub.listen(to: 1))
        let hub = hub
        let newer = Task { await hub.listen(to: 1) }
        #expect(await earlier.wait(within: long) == .replaced)
        #expect(await earlier.wait(within: long) == .replaced)
        #expect(hub.count == 1)
        earlier.leave()
        let listener = try #require(await newer.value)
        listener.leave()
        #expect(hub.count == 0)
    }

    @Test("A listener reports when it has to wait for the earlier one")
    func waitTold() async throws {
        let waits = Mutex(0)
        let first = try #require(await hub.listen(to: 1, before: { waits.withLock { $0 += 1 } }))
        #expect(waits.withLock { $0 } == 0)
        let hub = hub
        async let second = hub.listen(to: 1, before: { waits.withLock { $0 += 1 } })
        #expect(await first.wait(within: long) == .replaced)
        first.leave()
        _ = try #require(await second)
        #expect(waits.withLock { $0 } == 1)
    }

    @Test("Of a thousand listeners of one token the last one remains") func manyListeners() async throws {
        let first = try #require(await hub.listen(to: 1))
        let hub = hub
        let letIn = await withTaskGroup { group in
            for _ in 0..<1000 { group.addTask { await hub.listen(to: 1) } }
            // All but the last are sent away while the first still listens.
            var letIn: [NotificationListener] = []
            for _ in 0..<999 { if let listener = await group.next() ?? nil { letIn.append(listener) } }
            #expect(letIn.isEmpty)
            first.leave()
            if let listener = await group.next() ?? nil { letIn.append(listener) }
            return letIn
        }
        #expect(letIn.count == 1)
        #expect(hub.count == 1)
        letIn.first?.leave()
        #expect(hub.count == 0)
    }

    @Test("A closed connection ends its wait and every later one") func hangUp() async throws {
        let listener = try #require(await hub.listen(to: 1))
        async let ending = listener.wait(within: long)
        listener.hangUp()
        #expect(await ending == .hungUp)
        #expect(await listener.wait(within: long) == .hungUp)
    }

    @Test("Cancelling a task ends its wait") func cancelledTask() async throws {
        let listener = try #require(await hub.listen(to: 1))
        let task = Task { await listener.wait(within: long) }
        task.cancel()
        #expect(await task.value == .hungUp)
    }

    @Test("Shutdown ends every wait") func shutdown() async throws {
        let listener = try #require(await hub.listen(to: 1))
        let hub = hub
        async let ending = listener.wait(within: long)
        hub.shutDown()
        #expect(await ending == .stopping)
        #expect(await listener.wait(within: long) == .stopping)
        #expect(await hub.listen(to: 1) == nil)
        #expect(await hub.listen(to: 2) == nil)
    }

    @Test("A client about to listen is released at shutdown") func lateListener() async throws {
        let listener = try #require(await hub.listen(to: 1))
        let hub = hub
        let coming = Task { await hub.listen(to: 1) }
        #expect(await listener.wait(within: long) == .replaced)
        hub.shutDown()
        #expect(await coming.value == nil)
    }

    /// Whichever order deadlines come in, each is kept.
    @Test("Waits end at their deadlines in any order") func deadlines() async throws {
        let hub = hub
        await withTaskGroup { group in
            for token in Int64(0)..<200 {
                group.addTask {
                    guard let listener = await hub.listen(to: token) else { return WaitEnding.replaced }
                    defer { listener.leave() }
                    return await listener.wait(within: .milliseconds(1 + (token * 37) % 50))
                }
            }
            for await ending in group { #expect(ending == .deadline) }
        }
        #expect(hub.count == 0)
    }

    @Test("Every wake reaches the listener of its token") func wakes() async throws {
        let hub = hub
        await withTaskGroup { group in
            for token in Int64(0)..<100 {
                group.addTask {
                    guard let listener = await hub.listen(to: token) else { return }
                    defer { listener.leave() }
                    for _ in 0..<50 {
                        let wake = Task { hub.wake([token]) }
                        #expect(await listener.wait(within: .hours(1)) == .woken(nil))
                        await wake.value
                    }
                }
            }
        }
        #expect(hub.count == 0)
    }
}
