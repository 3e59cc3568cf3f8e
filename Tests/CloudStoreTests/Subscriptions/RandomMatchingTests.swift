import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Random histories with random subscriptions: what is told is what a plain evaluation of every change says.
struct RandomMatchingTests {
    /// A query subscription as the plain evaluation knows it.
    private struct Watch {
        let query: PlainQuery
        let zone: ZoneID?
        let reasons: [String]

        func fires(_ reason: String, _ record: PlainRecord) -> Bool {
            reasons.contains(reason) && (zone == nil || zone == record.zone) && query.matches(record)
        }

        var text: String {
            let place =
                zone.map { #""zoneID":{"zoneName":"\#($0.name)"}"# } ?? #""zoneWide":true"#
            return #"{"subscriptionType":"query","query":\#(QueryGenerator.text(query)),\#(place),"firesOn":["#
                + reasons.map { "\"\($0)\"" }.joined(separator: ",") + "]}"
        }
    }

    private static let marks = ["create": "+", "update": "~", "delete": "-"]

    @Test("Notifications of random changes equal those of evaluating each subscription", arguments: 1...6)
    func evaluation(seed: Int) async throws {
        var generator = QueryGenerator(seed: UInt64(seed))
        let store = try TemporaryStore().store
        // The first records make the schema that queries are held to.
        for zone in QueryGenerator.zones {
            try await store.makeZone(zone)
            let first = generator.record("first", zone: zone, isComplete: true)
            _ = try await store.modify([QueryGenerator.creation(first)], zone: zone)
        }
        try await store.listen()
        // The clock stands still, and with it what is spent.
        var limits = Limits()
        limits.notifications.burst = 1_000_000
        var watches: [String: Watch] = [:]
        var records: [String: PlainRecord] = [:]
        for round in 0..<40 {
            if round % 3 == 0 {
                let name = "s\(Int.random(in: 0..<12, using: &generator.generator))"
                try await change(name, &watches, &generator, store)
            }
            let zone = QueryGenerator.zones.randomElement(using: &generator.generator) ?? .notes
            let (operations, expected) = history(zone, watches, &records, &generator)
            let result = try await store.modify(
                operations, zone: zone, atomic: Bool.random(using: &generator.generator), limits: limits)
            #expect(result.errors.allSatisfy { $0 == nil })
            #expect(try await store.news().sorted() == expected.sorted(), "round \(round)")
        }
    }

    /// Makes a subscription, makes it anew as another, or deletes it.
    private func change(
        _ name: String, _ watches: inout [String: Watch], _ generator: inout QueryGenerator, _ store: EnvironmentStore
    ) async throws {
        if watches[name] != nil, Bool.random(using: &generator.generator) {
            watches[name] = nil
            return try await store.unsubscribe(name)
        }
        let reasons = Self.marks.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &generator.generator) > 0 }
        let zone = Int.random(in: 0..<3, using: &generator.generator)
        let watch = Watch(
            query: generator.query(), zone: zone == 2 ? nil : QueryGenerator.zones[zone],
            reasons: reasons.isEmpty ? ["create"] : reasons)
        watches[name] = watch
        try await store.subscribe(name, watch.text)
    }

    /// One batch: the operations, and what is to be told of them.
    private func history(
        _ zone: ZoneID, _ watches: [String: Watch], _ records: inout [String: PlainRecord],
        _ generator: inout QueryGenerator
    ) -> (operations: [String], expected: [String]) {
        var operations: [String] = []
        var expected: [String] = []
        let names = (0..<12).map { "r\($0)" }.shuffled(using: &generator.generator)
        for name in names.prefix(Int.random(in: 1...5, using: &generator.generator)) {
            let key = zone.name + name
            let reason: String
            let state: PlainRecord
            if let known = records[key], Int.random(in: 0..<3, using: &generator.generator) == 0 {
                operations.append(operation(.forceDelete, name))
                records[key] = nil
                (reason, state) = ("delete", known)
            } else {
                let new = generator.record(name, zone: zone, isComplete: false)
                operations.append(
                    QueryGenerator.creation(new).replacing(
                        #""operationType":"create""#, with: #""operationType":"forceReplace""#))
                reason = records[key] == nil ? "create" : "update"
                records[key] = new
                state = new
            }
            for (watch, told) in watches where told.fires(reason, state) {
                expected.append(watch + (Self.marks[reason] ?? "") + name)
            }
        }
        return (operations, expected)
    }
}
