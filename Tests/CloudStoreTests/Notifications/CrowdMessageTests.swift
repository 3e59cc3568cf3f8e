import CloudAccounts
import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Messages for many devices whose polls wait, one row for each.
struct CrowdMessageTests {
    private static let tokens = Array(1...20 as ClosedRange<Int64>)
    private static let inNotes = querySubscription(more: #""zoneID":{"zoneName":"Notes"}"#)

    /// A store whose tokens are all waited for.
    private func open(_ subscription: String = inNotes) async throws -> (TemporaryStore, EnvironmentStore) {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "first")])
        try await temporary.store.subscribe("s", subscription)
        for token in Self.tokens { try await temporary.store.listen(token) }
        try await temporary.store.close()
        return (temporary, try temporary.open(awaited: { Set($0) }))
    }

    private func acknowledge(_ tokens: some Sequence<Int64>, _ store: EnvironmentStore) async throws {
        var messages: [QueuedNotification] = []
        for token in tokens { messages.append(try #require(try await store.notifications.next(token: token))) }
        try await store.notifications.acknowledge(messages, keeping: false)
    }

    @Test("A message for many waiting polls is one row, until each has it") func oneRow() async throws {
        let (temporary, store) = try await open()
        _ = try await store.modify([operation(.create, "a")])
        #expect(try await temporary.count("notifications") == 0)
        #expect(try await temporary.count("crowd_messages") == 1)
        var ids: Set<Int64> = []
        for token in Self.tokens { ids.insert(try #require(try await store.notifications.next(token: token)).id) }
        #expect(ids.count == Self.tokens.count)
        #expect(try await store.notifications.newest() == ids.max())
        #expect(try await store.notifications.waiting(among: [3, 4, 99]) == [3, 4])
        try await acknowledge(1...10, store)
        #expect(try await store.notifications.next(token: 10) == nil)
        #expect(try await store.notifications.waiting(among: [3, 14]) == [14])
        let devices = try await store.browsing.devices(after: 0, limit: 30)
        #expect(devices.map(\.queued) == Self.tokens.map { $0 <= 10 ? 0 : 1 })
        #expect(devices.map { $0.waitingSince != nil } == Self.tokens.map { $0 > 10 })
        for token in 11...20 as ClosedRange<Int64> { #expect(try await store.news(token) == ["s+a"]) }
        #expect(try await temporary.count("crowd_messages") == 0)
        #expect(try await temporary.count("devices WHERE queued <> 0") == 0)
        try await store.close()
    }

    @Test("Later messages follow the shared one, and each device gets both in order") func followed() async throws {
        let (temporary, store) = try await open()
        _ = try await store.modify([operation(.create, "a")])
        try await acknowledge(1...4, store)
        _ = try await store.modify([operation(.create, "b")])
        #expect(try await temporary.count("crowd_messages") == 0)
        for token in Self.tokens {
            #expect(try await store.news(token) == (token <= 4 ? ["s+b"] : ["s+a", "s+b"]), "\(token)")
        }
        #expect(try await temporary.count("devices WHERE queued <> 0") == 0)
        // Of one request as well.
        _ = try await store.modify([operation(.create, "c"), operation(.create, "d")])
        for token in Self.tokens { #expect(try await store.news(token) == ["s+c", "s+d"]) }
        #expect(try await temporary.count("devices WHERE queued <> 0") == 0)
        try await store.close()
    }

    @Test("A queue's limit holds, and dropped messages are reported") func bounded() async throws {
        let (_, store) = try await open()
        var limits = Limits()
        limits.notifications.perToken = 1
        _ = try await store.modify([operation(.create, "a")], limits: limits)
        _ = try await store.modify([operation(.create, "b")], limits: limits)
        for token in Self.tokens {
            #expect(try await store.notifications.next(token: token)?.isPruned == true)
            #expect(try await store.news(token) == ["s+b"])
        }
        try await store.close()
    }

    @Test("A token that is removed or changes its user loses the shared message alone") func removed() async throws {
        let (_, store) = try await open()
        _ = try await store.modify([operation(.create, "a")])
        try await store.listen(3, as: "_bob")
        try await store.devices.remove(token: 20)
        try await store.listen(21)
        for token in [3, 20, 21] as [Int64] { #expect(try await store.notifications.next(token: token) == nil) }
        try await store.devices.register(Device(token: 22, user: "_alice", clientID: nil, expires: .max), replacing: 5)
        for token in [1, 2, 4, 19, 22] as [Int64] { #expect(try await store.news(token) == ["s+a"]) }
        try await store.close()
    }

    @Test("A stopped server's messages are delivered by the next, and streams keep them") func reopened() async throws {
        let (temporary, store) = try await open()
        _ = try await store.modify([operation(.create, "a")])
        try await store.close()
        let next = try temporary.open()
        let message = try #require(try await next.notifications.next(token: 7))
        #expect(try await next.notifications.list(token: 7, after: 0, limit: 10) == [message])
        #expect(try await next.notifications.list(token: 7, after: message.id, limit: 10) == [])
        try await next.notifications.acknowledge([message], keeping: true)
        #expect(try await next.notifications.next(token: 7) == nil)
        #expect(try await next.notifications.list(token: 7, after: 0, limit: 10).map(\.isDelivered) == [true])
        let other = try #require(try await next.notifications.next(token: 8))
        try await next.notifications.acknowledge(DeliveredMessage(id: other.id, revision: 0, isPruned: false), token: 8)
        #expect(try await next.notifications.next(token: 8) == nil)
        #expect(try await next.notifications.list(token: 8, after: 0, limit: 10).map(\.isDelivered) == [true])
        #expect(try await next.news(9) == ["s+a"])
        try await next.close()
    }

    @Test("A shared message left undelivered is moved to the queues with the next notification")
    func left() async throws {
        let (temporary, store) = try await open()
        let bobs = ZoneID(name: "Notes", owner: "_bob")
        try await store.makeZone(bobs)
        try await store.subscribe("b", Self.inNotes, user: "_bob")
        for token in 31...50 as ClosedRange<Int64> { try await store.listen(token, as: "_bob") }
        _ = try await store.modify([operation(.create, "a")])
        try await acknowledge(1...18, store)
        _ = try await store.modify([operation(.create, "a")], zone: bobs, caller: .bob)
        #expect(try await temporary.count("crowd_messages") == 2)
        for token in 31...50 as ClosedRange<Int64> { #expect(try await store.news(token) == ["b+a"]) }
        temporary.clock.pass(milliseconds: 6000)
        _ = try await store.modify([operation(.create, "b")], zone: bobs, caller: .bob)
        #expect(try await temporary.count("crowd_messages") == 1)
        #expect(try await temporary.count("notifications") == 2)
        #expect(try await store.news(20) == ["s+a"])
        #expect(try await store.news(31) == ["b+b"])
        try await store.close()
    }

    @Test(
        "Badge messages, zone messages and messages without waiting polls have rows of their own", arguments: [0, 1, 2])
    func queued(kind: Int) async throws {
        let badging = Self.inNotes.dropLast() + #","notificationInfo":{"shouldBadge":true}}"#
        let (temporary, opened) = try await open([String(badging), zoneSubscription(), Self.inNotes][kind])
        try await opened.close()
        let store = try temporary.open(awaited: { kind == 2 ? Set($0.prefix(15)) : Set($0) })
        _ = try await store.modify([operation(.create, "a")])
        #expect(try await temporary.count("crowd_messages") == 0)
        #expect(try await temporary.count("notifications") == Self.tokens.count)
        try await store.close()
    }

    @Test("An undone request leaves no messages") func undone() async throws {
        let (temporary, store) = try await open()
        let result = try await store.modify([operation(.create, "a"), operation(.create, "first")], atomic: true)
        #expect(result.error() != nil)
        for table in ["crowd_messages", "notifications"] { #expect(try await temporary.count(table) == 0) }
        #expect(try await store.notifications.next(token: 1) == nil)
        try await store.close()
    }

    @Test("Device lists are read as they were written, and damage is detected") func bytes() throws {
        let places = (1...3).map { CrowdDevices.Entry($0, $0 << 40, Array("_user\($0)".utf8)[...]) }
        let devices = CrowdDevices(places)
        let found = try #require(try devices.first { $0.device == 2 })
        #expect(found.message == 2 << 40 && found.user.elementsEqual("_user2".utf8))
        let (chosen, rest) = try devices.divided { $0.message == 2 << 40 }
        #expect(chosen.map(\.device) == [2])
        #expect(rest.bytes == CrowdDevices([places[0], places[2]]).bytes)
        for count in 1..<CrowdDevices([places[0]]).bytes.count {
            let cut = CrowdDevices(bytes: Array(devices.bytes.prefix(count)))
            #expect(throws: SQLError.self) { _ = try cut.first { _ in false } }
        }
    }
}
