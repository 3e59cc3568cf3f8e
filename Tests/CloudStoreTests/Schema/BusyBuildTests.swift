import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Writers, readers and changes of the schema at once, on a type large enough to be built beside them.
@Suite(.timeLimit(.minutes(20)))
struct BusyBuildTests {
    private static let writers = 3
    private static let rounds = 30

    @Test("Queries stay correct while an index is built under writes") func underWrites() async throws {
        let temporary = try TemporaryStore(pace: .slow)
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify((0..<20).map { operation(.create, "r\($0)", fields: #"{"a":{"value":"0"}}"#) })
        let done = Done()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.writers { group.addTask { try await write(UInt64(writer), store) } }
            group.addTask { try await change(store) }
            group.addTask { try await ask(store, until: done) }
            defer { done.set() }
            for _ in 0...Self.writers { try await group.next() }
            done.set()
            try await group.waitForAll()
        }
        await store.stored.work.finished()
        try await compare(store)
        // Its questions have asked for indexes.
        await store.stored.work.finished()
        #expect(try await temporary.valuesTables().count == 3)
        let stored = try await temporary.column("SELECT SUM(length(body)) FROM records WHERE record_type IS NOT NULL")
        #expect(try await String(store.users.usage(owner: nil).bytes) == stored[0])
        try await store.close()
    }

    private func write(_ seed: UInt64, _ store: EnvironmentStore) async throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<Self.rounds {
            let name = "r\(Int.random(in: 0..<40, using: &generator))"
            let value = Int.random(in: 0..<4, using: &generator)
            let fields = #"{"a":{"value":"\#(value)"},"b":{"value":"\#(round)"},"l":{"value":["\#(value)"]}}"#
            let text =
                Int.random(in: 0..<4, using: &generator) == 0
                ? operation(.forceDelete, name) : operation(.forceUpdate, name, fields: fields)
            let result = try await store.modify([text])
            #expect(result.error() == nil)
        }
    }

    /// Each time the table is made anew, with a field that comes and one that goes.
    private func change(_ store: EnvironmentStore) async throws {
        for round in 0..<10 {
            try await store.schema.apply(
                "RECORD TYPE Note (a STRING, l LIST<STRING>, \(round % 2 == 0 ? "c\(round)" : "b") STRING);")
        }
        try await store.schema.apply("RECORD TYPE Note (a STRING, l LIST<STRING>, b STRING);")
    }

    private func ask(_ store: EnvironmentStore, until done: Done) async throws {
        while !done.isSet {
            do {
                let names = try await store.query(#"{"recordType":"Note"}"#).names
                #expect(Set(names).count == names.count)
                _ = try await store.query(#"{"recordType":"Note","filterBy":[\#(filter("a", #""1""#))]}"#)
            } catch let error as ServerError where error.code == .tryAgainLater {
                // On PostgreSQL a table may be dropped between a query's look at the schema and its statement.
            }
            // A read may never have to wait, and so would keep its thread from others.
            await Task.yield()
        }
    }

    /// Every answer by index against the records themselves.
    private func compare(_ store: EnvironmentStore) async throws {
        let live = try await store.changes(limit: 1000).names.filter { !$0.hasPrefix("-") }
        #expect(Set(try await store.query(#"{"recordType":"Note"}"#).names) == Set(live))
        for (field, comparator) in [("a", "EQUALS"), ("b", "EQUALS"), ("l", "LIST_CONTAINS")] {
            var expected: [String: Set<String>] = [:]
            for name in live {
                let value = try await store.record(name).field(field)
                guard let text = value?.string ?? value?.array?.first?.string else { continue }
                expected[text, default: []].insert(name)
            }
            for number in 0..<Self.rounds {
                let found = try await store.query(
                    #"{"recordType":"Note","filterBy":[\#(filter(field, #""\#(number)""#, comparator))]}"#)
                #expect(Set(found.names) == expected["\(number)"] ?? [], "\(field) \(number)")
            }
        }
    }
}
