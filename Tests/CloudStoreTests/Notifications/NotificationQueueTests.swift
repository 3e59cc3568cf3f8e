import CloudAccounts
import CloudModel
import Dispatch
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// The queue of messages that each push token has.
struct NotificationQueueTests {
    private func filled(_ subscription: String = querySubscription()) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "first")])
        try await temporary.store.subscribe("s", subscription)
        try await temporary.store.listen()
        return temporary
    }

    private static let inNotes = querySubscription(more: #""zoneID":{"zoneName":"Notes"}"#)

    @Test("Messages are read in the order they were queued") func order() async throws {
        let store = try await filled(Self.inNotes).store
        _ = try await store.modify([operation(.create, "a"), operation(.create, "b")])
        _ = try await store.modify([operation(.forceUpdate, "a"), operation(.forceDelete, "b")])
        #expect(try await store.news() == ["s+a", "s+b", "s~a", "s-b"])
        #expect(try await store.notifications.next(token: 1) == nil)
    }

    @Test("A writer is answered before listeners are woken", .timeLimit(.minutes(5)))
    func answerFirst() async throws {
        let temporary = try await filled(Self.inNotes)
        try await temporary.store.close()
        let gate = DispatchSemaphore(value: 0)
        let (told, source) = AsyncStream<Set<Int64>>.makeStream()
        let store = try temporary.open(onNotify: { tokens, _ in
            gate.wait()
            source.yield(tokens)
        })
        let result = try await store.modify([operation(.create, "a")])
        #expect(result.error() == nil)
        gate.signal()
        #expect(await told.first { _ in true } == [1])
        #expect(try await store.news() == ["s+a"])
        try await store.close()
    }

    @Test("A zone subscription has one waiting message") func zoneMessages() async throws {
        let store = try await filled(zoneSubscription()).store
        _ = try await store.modify([operation(.create, "a")])
        let first = try #require(try await store.notifications.next(token: 1))
        _ = try await store.modify([operation(.create, "b"), operation(.create, "c")])
        let second = try #require(try await store.notifications.next(token: 1))
        #expect(second.id == first.id && second.revision == first.revision + 1 && second.body != first.body)
        // The first was on its way while the second took its place.
        try await store.notifications.acknowledge([first], keeping: false)
        #expect(try await store.notifications.next(token: 1) == second)
        try await store.notifications.acknowledge([second], keeping: false)
        #expect(try await store.notifications.next(token: 1) == nil)
        _ = try await store.modify([operation(.create, "d")])
        #expect(try await store.news() == ["s"])
    }

    @Test("A full queue drops the oldest message, and the next one is marked") func oldestDropped() async throws {
        let store = try await filled(Self.inNotes).store
        var limits = Limits()
        limits.notifications.perToken = 2
        _ = try await store.modify((1...4).map { operation(.create, "r\($0)") }, limits: limits)
        let next = try #require(try await store.notifications.next(token: 1))
        #expect(next.isPruned)
        let messages = try await store.messages()
        #expect(messages.compactMap { $0.object?["ck"]?.object?["qry"]?.object?["rid"]?.string } == ["r3", "r4"])
        #expect(messages.map { $0.object?["ck"]?.object?["p"] != nil } == [true, false])
    }

    @Test("A full queue drops delivered messages first") func fullQueue() async throws {
        let store = try await filled(Self.inNotes).store
        var limits = Limits()
        limits.notifications.perToken = 2
        _ = try await store.modify([operation(.create, "a")], limits: limits)
        let first = try #require(try await store.notifications.next(token: 1))
        try await store.notifications.acknowledge([first], keeping: true)
        _ = try await store.modify([operation(.create, "b"), operation(.create, "c")], limits: limits)
        #expect(try await store.notifications.list(token: 1, after: 0, limit: 10).count == 2)
        #expect(try await store.notifications.next(token: 1)?.isPruned == false)
    }

    @Test("A stream continues after the id of its last event") func stream() async throws {
        let store = try await filled(Self.inNotes).store
        _ = try await store.modify((1...5).map { operation(.create, "r\($0)") })
        let all = try await store.notifications.list(token: 1, after: 0, limit: 10)
        #expect(all.count == 5)
        for message in all.prefix(3) { try await store.notifications.acknowledge([message], keeping: true) }
        let rest = try await store.notifications.list(token: 1, after: all[1].id, limit: 2)
        #expect(rest.map(\.id) == all[2...3].map(\.id))
        #expect(rest.map(\.isDelivered) == [true, false])
        #expect(try await store.notifications.next(token: 1) == all[3])
        #expect(try await store.notifications.list(token: 2, after: 0, limit: 10) == [])
    }

    @Test("A token that replaces another takes over its queue") func takenOver() async throws {
        let store = try await filled(Self.inNotes).store
        _ = try await store.modify([operation(.create, "a"), operation(.create, "b")])
        let waiting = try await store.notifications.list(token: 1, after: 0, limit: 10)
        let device = Device(token: 7, user: "_alice", clientID: nil, expires: .max)
        try await store.devices.register(device, replacing: 1)
        #expect(try await store.notifications.list(token: 7, after: 0, limit: 10) == waiting)
        #expect(try await store.notifications.next(token: 1) == nil)
        // One that is there already keeps what it has, and nobody gets what is another user's.
        try await store.listen(2)
        _ = try await store.modify([operation(.create, "c")])
        try await store.devices.register(device, replacing: 2)
        #expect(try await store.notifications.list(token: 7, after: 0, limit: 10).count == 3)
        try await store.devices.register(
            Device(token: 8, user: "_bob", clientID: nil, expires: .max), replacing: 7)
        #expect(try await store.notifications.next(token: 8) == nil)
        #expect(try await store.notifications.next(token: 7) == nil)
    }

    @Test("Each token counts its own badge") func ownBadge() async throws {
        let badging = Self.inNotes.dropLast() + #","notificationInfo":{"shouldBadge":true}}"#
        let store = try await filled(String(badging)).store
        _ = try await store.modify([operation(.create, "a")])
        try await store.listen(2)
        _ = try await store.modify([operation(.create, "b")])
        let badges = { (messages: [JSONValue]) in messages.map { $0.object?["aps"]?.object?["badge"]?.integer } }
        #expect(badges(try await store.messages(1)) == [1, 2])
        #expect(badges(try await store.messages(2)) == [1])
    }

    @Test("A token registered by another user loses its queued messages")
    func otherUser() async throws {
        let store = try await filled(Self.inNotes).store
        _ = try await store.modify([operation(.create, "a")])
        try await store.listen()
        #expect(try await store.notifications.next(token: 1) != nil)
        try await store.listen(as: "_bob")
        #expect(try await store.notifications.next(token: 1) == nil)
        _ = try await store.modify([operation(.create, "b")])
        #expect(try await store.notifications.next(token: 1) == nil)
    }

    @Test("An expired token gets no messages") func expired() async throws {
        let temporary = try await filled(Self.inNotes)
        let store = temporary.store
        let now = temporary.clock.now
        try await store.devices.register(
            Device(token: 1, user: "_alice", clientID: nil, expires: now + .milliseconds(10)))
        _ = try await store.modify([operation(.create, "a")])
        temporary.clock.pass(milliseconds: 10)
        _ = try await store.modify([operation(.create, "b")])
        #expect(try await store.notifications.next(token: 1) == nil)
        try await store.devices.register(
            Device(token: 1, user: "_alice", clientID: nil, expires: now + .milliseconds(100)))
        #expect(try await store.news() == ["s+a"])
        temporary.clock.pass(milliseconds: 100)
        #expect(try await store.devices.removeExpired() == 1)
    }

    @Test("A webhook's device gets the messages of all users") func webhookDevice() async throws {
        let store = try await filled(Self.inNotes).store
        let bobs = ZoneID(name: "Notes", owner: "_bob")
        try await store.makeZone(bobs)
        try await store.subscribe("b", Self.inNotes, user: "_bob")
        try await store.listen(-1, as: Device.everybody)
        _ = try await store.modify([operation(.create, "a")])
        _ = try await store.modify([operation(.create, "a")], zone: bobs, caller: .bob)
        #expect(try await store.news(-1) == ["s+a", "b+a"])
    }

    @Test("Queued messages survive closing and reopening the store") func reopening() async throws {
        let temporary = try await filled(Self.inNotes)
        _ = try await temporary.store.modify([operation(.create, "a")])
        try await temporary.store.close()
        let reopened = try temporary.open()
        _ = try await reopened.modify([operation(.create, "b")])
        #expect(try await reopened.news() == ["s+a", "s+b"])
    }

    /// After the commit, once for all that a group wrote.
    @Test("A commit wakes the push tokens that got a message") func wakes() async throws {
        let temporary = try await filled(Self.inNotes)
        try await temporary.store.close()
        let woken = Mutex<[Set<Int64>]>([])
        let store = try temporary.open { tokens, _ in woken.withLock { $0.append(tokens) } }
        try await store.listen(2)
        _ = try await store.modify([operation(.create, "a"), operation(.create, "b")])
        _ = try await store.modify([operation(.create, "a")])
        #expect(woken.withLock { $0 } == [[1, 2]])
    }

    @Test("A commit hands over a message only when it is its token's sole queued message")
    func handedOver() async throws {
        let temporary = try await filled(Self.inNotes)
        try await temporary.store.close()
        let handed = Mutex<[[Int64: QueuedNotification]]>([])
        let store = try temporary.open { _, alone in handed.withLock { $0.append(alone) } }
        _ = try await store.modify([operation(.create, "a")])
        let first = try #require(try await store.notifications.next(token: 1))
        _ = try await store.modify([operation(.create, "b")])
        #expect(try await store.news() == ["s+a", "s+b"])
        _ = try await store.modify([operation(.create, "c"), operation(.create, "d")])
        #expect(try await store.news() == ["s+c", "s+d"])
        _ = try await store.modify([operation(.create, "e")])
        let last = try #require(try await store.notifications.next(token: 1))
        // The last are told behind the answer.
        try await store.close()
        #expect(handed.withLock { $0 } == [[1: first], [:], [:], [1: last]])
    }

    @Test("A message that replaced another or follows dropped ones is not handed over")
    func notHandedOver() async throws {
        let temporary = try await filled(zoneSubscription())
        try await temporary.store.close()
        let handed = Mutex<[Int]>([])
        let store = try temporary.open { _, alone in handed.withLock { $0.append(alone.count) } }
        var limits = Limits()
        limits.notifications.perToken = 1
        _ = try await store.modify([operation(.create, "a")], limits: limits)
        _ = try await store.modify([operation(.create, "b")], limits: limits)
        try await store.subscribe("q", Self.inNotes)
        _ = try await store.modify([operation(.create, "c")], limits: limits)
        #expect(try await store.notifications.next(token: 1)?.isPruned == true)
        try await store.close()
        #expect(handed.withLock { $0 } == [1, 0, 0])
    }
}
