import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Bounds on the cost of one account's subscriptions and devices for other people's writes.
@Suite(.timeLimit(.minutes(20)))
struct SubscriptionBudgetTests {
    private static let devices: Int64 = 20
    private static let fields = #"{"s":{"value":"x"},"i":{"value":1},"d":{"value":2.5}}"#

    private func write(_ name: String) -> String { operation(.create, name, fields: Self.fields) }

    /// Subscriptions of Eve's to the public database, as many as the limits allow to meet the same records.
    private func prepare(_ texts: [String]) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        _ = try await temporary.store.modify([write("first")], zone: .world)
        let outcomes = try await temporary.store.subscribe(
            texts.enumerated().map { ("s\($0)", $1) }, user: "_eve", in: .public)
        #expect(outcomes.allSatisfy { if case .saved = $0 { true } else { false } })
        for device in 1...Self.devices { try await temporary.store.listen(device, as: "_eve") }
        return temporary
    }

    /// 300 that every record of the type fires, and as many as like that never do.
    private func texts(firing: Bool, _ count: Int) -> [String] {
        let buckets = ["", filter("s", "\"x\"") + ",", filter("i", "1") + ",", filter("d", "2.5") + ","]
        return (0..<count).map { number in
            // No two ask the same.
            let limit = firing ? "-\(number + 1)" : "\(number + 100)"
            return querySubscription(filters: buckets[number / 100 % 4] + filter("i", limit, "GREATER_THAN"))
        }
    }

    private func limits(_ change: (inout Limits) -> Void = { _ in }) -> Limits {
        var limits = Limits()
        change(&limits)
        return limits
    }

    @Test(
        "300 subscriptions on 20 devices add at most the budget's messages to 50 writes, and then none",
        .enabled(if: !ChosenEngine.isPostgres, "counts statements of SQLite"))
    func messagesAreBounded() async throws {
        let temporary = try await prepare(texts(firing: true, 300))
        try await temporary.store.close()
        let quiet = try TemporaryStore()
        let writers = [try TracedWriter(temporary.path), try TracedWriter(quiet.path)]
        _ = try await writers[1].statements(of: [write("first")], zone: .world)
        var told = 0
        var last: [[String]] = []
        for number in 0..<50 {
            last = []
            for writer in writers { last.append(try await writer.statements(of: [write("w\(number)")], zone: .world)) }
            told += (last[0].count - last[1].count)
        }
        for writer in writers { try writer.close() }
        let limits = Limits()
        let most = limits.notifications.burst + 50 * limits.notifications.perRequest
        #expect(told > limits.notifications.burst / 4)
        // Messages are queued many at a time, or by two statements each where a full queue drops its oldest; each device
        // is noted once a request.
        #expect(told <= 2 * most + 50 * Int(Self.devices))
        #expect(last[0] == last[1], "a write while they pause")
        withExtendedLifetime((temporary, quiet)) {}
    }

    @Test(
        "400 subscriptions that never fire cost later writes nothing",
        .enabled(if: !ChosenEngine.isPostgres, "counts statements of SQLite"))
    func matchingIsBounded() async throws {
        let temporary = try await prepare(texts(firing: false, 400))
        try await temporary.store.close()
        let quiet = try TemporaryStore()
        let writers = [try TracedWriter(temporary.path), try TracedWriter(quiet.path)]
        _ = try await writers[1].statements(of: [write("first")], zone: .world)
        var asked: [Int] = []
        var last: [[String]] = []
        for number in 0..<40 {
            last = []
            for writer in writers { last.append(try await writer.statements(of: [write("w\(number)")], zone: .world)) }
            asked.append(last[0].count - last[1].count)
        }
        for writer in writers { try writer.close() }
        let budget = NotificationBudget.Cost.self
        let limits = Limits()
        let most =
            (limits.notifications.burst + 40 * limits.notifications.perRequest) * budget.message / budget.question
        #expect(asked.reduce(0, +) <= most)
        #expect(asked[0] > 0)
        #expect(last[0] == last[1], "a write while they pause")
        withExtendedLifetime((temporary, quiet)) {}
    }

    @Test("A request of 200 records writes no more messages than the budget")
    func oneRequest() async throws {
        let temporary = try await prepare(texts(firing: true, 300))
        var limits = limits()
        limits.notifications.perToken = 100_000
        let result = try await temporary.store.modify((0..<200).map { write("w\($0)") }, zone: .world, limits: limits)
        #expect(result.errors.allSatisfy { $0 == nil })
        let written = try #require(try await temporary.count("notifications"))
        #expect(written <= limits.notifications.burst + limits.notifications.perRequest)
    }

    @Test("After a pause each device gets one pruned message, and then notifications as before")
    func toldOnce() async throws {
        let temporary = try await prepare([querySubscription()])
        let store = temporary.store
        let limits = limits { ($0.notifications.perRequest, $0.notifications.burst) = (1, 30) }
        for name in ["a", "b", "c", "d"] { _ = try await store.modify([write(name)], zone: .world, limits: limits) }
        let early = try await store.messages(1)
        #expect(early.count == 2, "30 messages and one for each request are two rounds for 20 devices, nearly")
        #expect(early.allSatisfy { $0.object?["ck"]?.object?["p"] == nil })
        try await store.endPauses()
        #expect(try await store.messages(1).isEmpty, "it is not over")
        temporary.clock.pass(milliseconds: limits.notifications.pause.components.seconds * 1000)
        try await store.endPauses()
        for device in 1...Self.devices {
            let messages = try await store.messages(device)
            let marked = messages.filter { $0.object?["ck"]?.object?["p"]?.integer == 1 }
            #expect(marked.count == 1, "device \(device)")
            let last = try #require(messages.last?.object?["ck"]?.object?["qry"]?.object)
            #expect(last["sid"]?.string == "s0" && last["rid"] == nil)
        }
        _ = try await store.modify([write("e")], zone: .world)
        #expect(try await store.news(1) == ["s0+e"])
    }

    @Test("A pause interrupted by a restart is reported after it")
    func reopening() async throws {
        let temporary = try await prepare([querySubscription()])
        let limits = limits { ($0.notifications.perRequest, $0.notifications.burst) = (1, 5) }
        _ = try await temporary.store.modify([write("a")], zone: .world, limits: limits)
        try await temporary.store.close()
        let reopened = try temporary.open()
        try await reopened.endPauses()
        let messages = try await reopened.messages(20)
        #expect(messages.map { $0.object?["ck"]?.object?["p"]?.integer } == [1])
        _ = try await reopened.modify([write("b")], zone: .world)
        #expect(try await reopened.news(1).suffix(1) == ["s0+b"])
    }

    @Test("One account's pause leaves other accounts' subscriptions active")
    func otherAccounts() async throws {
        let temporary = try await prepare(texts(firing: true, 300))
        let store = temporary.store
        try await store.subscribe("b", querySubscription(), user: "_bob", in: .public)
        try await store.listen(100, as: "_bob")
        for name in ["a", "b", "c"] { _ = try await store.modify([write(name)], zone: .world) }
        #expect(try await store.news(100) == ["b+a", "b+b", "b+c"])
    }

    @Test("An undone request starts no pause", .enabled(if: !ChosenEngine.isPostgres, "undone by a trigger of SQLite"))
    func undone() async throws {
        let temporary = try await prepare([querySubscription()])
        let limits = limits { ($0.notifications.perRequest, $0.notifications.burst) = (1, 5) }
        let store = temporary.store
        try await temporary.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON subscription_pauses BEGIN SELECT RAISE(ABORT, 'broken'); END")
        await #expect(throws: (any Error).self) { try await store.modify([write("a")], zone: .world, limits: limits) }
        try await temporary.execute("DROP TRIGGER broken")
        #expect(try await temporary.count("subscription_pauses") == 0)
        _ = try await store.modify([write("b")], zone: .world, limits: self.limits { $0.notifications.burst = 100_000 })
        #expect(try await store.news(1) == ["s0+b"])
    }

    @Test("Subscriptions created in a pause begin after it, and those deleted in it stay deleted")
    func duringPause() async throws {
        let temporary = try await prepare([querySubscription()])
        let store = temporary.store
        let limits = limits { ($0.notifications.perRequest, $0.notifications.burst) = (1, 5) }
        _ = try await store.modify([write("a")], zone: .world, limits: limits)
        try await store.subscribe("new", querySubscription(), user: "_eve", in: .public)
        try await store.unsubscribe("s0", user: "_eve", in: .public)
        _ = try await store.messages(1)
        _ = try await store.modify([write("b")], zone: .world)
        #expect(try await store.messages(1).isEmpty)
        temporary.clock.pass(milliseconds: limits.notifications.pause.components.seconds * 1000)
        try await store.endPauses()
        _ = try await store.messages(1)
        _ = try await store.modify([write("c")], zone: .world)
        #expect(try await store.news(1) == ["new+c"])
    }

    @Test("Zone and database subscriptions to a user's own changes are bounded too")
    func zonesBounded() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let many = (0..<300).map { ("s\($0)", $0.isMultiple(of: 2) ? databaseSubscription : zoneSubscription()) }
        _ = try await store.subscribe(many)
        for device in 1...Self.devices { try await store.listen(device) }
        for name in ["a", "b"] { _ = try await store.modify([write(name)]) }
        let limits = Limits()
        let written = try #require(try await temporary.count("notifications"))
        #expect(written <= limits.notifications.burst + limits.notifications.perRequest)
        #expect(try await temporary.count("subscription_pauses") == 1)
    }

    @Test("One account's subscriptions use at most eight fields of a record type")
    func fieldBound() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let names = (0..<20).map { "f\($0)" }
        let fields = "{" + names.map { "\"\($0)\":{\"value\":1}" }.joined(separator: ",") + "}"
        _ = try await store.modify([operation(.create, "a", fields: fields)], zone: .world)
        let texts = names.map { ($0, querySubscription(filters: filter($0, "1"))) }
        _ = try await store.subscribe(texts, user: "_eve", in: .public)
        let type = try #require(store.records.catalog.types["Note"]?.id)
        let looked = try await store.stored.writes.write(for: nil) { $0.subscribers.watched.fields(ofType: type) }
        #expect(looked?.count == 9, "eight and none")
        try await store.listen(1, as: "_eve")
        _ = try await store.modify(
            [operation(.create, "b", fields: fields)], zone: .world,
            limits: limits { $0.notifications.burst = 100_000 })
        #expect(try await store.news().sorted() == names.map { "\($0)+b" }.sorted())
    }
}

extension EnvironmentStore {
    /// Ends the pauses that are over.
    func endPauses() async throws { _ = try await stored.pauseEnds.endDue(stored.writes, stored.reads) }
}
