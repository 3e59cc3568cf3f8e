import CloudModel
import NIOCore
import TestStore
import Testing

@testable import CloudStore

/// Messages that another server wrote and, because it ended, told nobody of.
@Suite(.timeLimit(.minutes(5)))
struct MissedMessagesTests {
    @Test("A listener finds a message that no server announced, and is woken once")
    func found() async throws {
        let other = try TemporaryStore()
        try await other.store.makeZone()
        _ = try await other.store.modify([operation(.create, "first")])
        for token in 1...2 { try await other.store.listen(Int64(token)) }
        try await other.store.subscribe("s", zoneSubscription())
        let opened = OpenStores(most: 1) { _, _ in }
        let store = try other.open()
        _ = try await opened.store(OpenStores.Key(container: 1, environment: .development)) { store.stored }
        let hub = NotificationHub()
        let missed = MissedMessages(opened, hub)
        let listener = try #require(await hub.listen(to: 1))
        async let ending = listener.wait(within: .minutes(4))
        _ = try await other.store.modify([operation(.create, "second")])
        let looking = Task { while !Task.isCancelled { missed.look(); await Task.yield() } }
        #expect(await ending == .woken(nil))
        // The same again is no news, and one for another token none for this.
        #expect(try await other.store.messages(1).count == 1)
        #expect(await listener.wait(within: .seconds(3)) == .deadline)
        _ = try await other.store.modify([operation(.create, "third")])
        #expect(await listener.wait(within: .minutes(4)) == .woken(nil))
        looking.cancel()
        listener.leave()
    }
}
