import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// A record that nothing can be made of keeps its type's build waiting, and nothing else.
struct DamagedBodyTests {
    /// Two types of a few records, of which one has a body that says something else of a field than the schema, or
    /// nothing at all.
    private func filled(isCut: Bool = false) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        for type in ["Bad", "Good"] {
            let records = (0..<5).map {
                operation(.create, "\(type)\($0)", type: type, fields: #"{"a":{"value":"x"},"b":{"value":"y"}}"#)
            }
            #expect(try await temporary.store.modify(records).error() == nil)
        }
        try temporary.replace(#""value":"x""#, by: #""value":{}"#, inBodyOf: "Bad3")
        if isCut {
            try await temporary.execute("UPDATE records SET body = \(ChosenEngine.bytes("{")) WHERE name = 'Bad3'")
        }
        return temporary
    }

    /// The faults that the store's work in the background reports.
    private struct Troubles {
        private let stream = AsyncStream.makeStream(of: String.self)

        func tell(_ error: any Error) { stream.continuation.yield("\(error)") }

        func next() async -> String? { await stream.stream.first { _ in true } }
    }

    @Test("A store with a damaged record opens, and other records work") func opening() async throws {
        let temporary = try await filled()
        let types = temporary.store.records.catalog.types.mapValues(\.id)
        try await temporary.store.close()
        try temporary.write { db in
            for name in ["Bad", "Good"] { try IndexBuilds.queue(type: #require(types[name]), derivingAll: true, db) }
        }
        let troubles = Troubles()
        let store = try temporary.open(onTrouble: { troubles.tell($0) })
        #expect(store.records.catalog.types["Good"]?.generation == 1)
        #expect(await troubles.next()?.contains("the index of type 'Bad' cannot be built past record") == true)
        #expect(try await store.record("Bad2").field("a") == .string("x"))
        #expect(try await store.modify([operation(.create, "new", type: "Bad")]).error() == nil)
        for (type, count) in [("Bad", 6), ("Good", 5)] {
            #expect(try await store.query(#"{"recordType":"\#(type)"}"#).names.count == count)
        }
        #expect(try await store.schema.buildProgress().map(\.type) == ["Bad"])
        try await store.close()
    }

    @Test("A schema change of a damaged record's type is made") func schemaChange() async throws {
        let temporary = try await filled()
        let store = temporary.store
        let changes = try await store.schema.apply("RECORD TYPE Bad (a STRING); RECORD TYPE Good (a STRING);")
        #expect(changes.contains(.removeField(type: "Bad", name: "b")))
        #expect(
            store.records.catalog.types["Bad"]?.generation == 0 && store.records.catalog.types["Good"]?.generation == 1)
        #expect(try await store.query(#"{"recordType":"Bad","filterBy":[\#(filter("a", #""x""#))]}"#).names.count == 5)
        try await store.close()
    }

    @Test("The type of a record with a damaged body can be removed") func removedType() async throws {
        let store = try await filled(isCut: true).store
        try await store.schema.apply("RECORD TYPE Good (a STRING);")
        #expect(store.records.catalog.types["Bad"] == nil)
        #expect(try await store.query(#"{"recordType":"Good"}"#).names.count == 5)
        try await store.close()
    }
}
