import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Empty lists that do not say of what (reference A §3.2).
struct UntypedListTests {
    private static let unknown = #"{"value":[],"type":"UNKNOWN_LIST"}"#
    private let store: EnvironmentStore
    private let temporary: TemporaryStore

    init() throws {
        temporary = try TemporaryStore()
        store = temporary.store
    }

    private func field(_ name: String, of record: String = "a") async throws -> JSONValue? {
        try await store.record(record)["fields"]?.object?[name]
    }

    @Test(
        "An empty list of an undeclared field is stored and leaves the schema unchanged",
        arguments: ["", #","type":"LIST""#, #","type":"UNKNOWN_LIST""#, #","type":"EMPTY_LIST""#])
    func unknownField(tag: String) async throws {
        try await store.makeZone()
        let saved = try await store.modify([
            operation(.create, "a", fields: #"{"tags":{"value":[]\#(tag)},"n":{"value":1}}"#)
        ])
        #expect(saved.error() == nil)
        #expect(try saved.outcomes[0].saved?["fields"]?.object?["tags"] == json(Self.unknown))
        #expect(try await field("tags") == json(Self.unknown))
        #expect(store.records.catalog.types["Note"]?.fields.keys.sorted() == ["n"])
        // What the schema cannot grow by is stored too.
        let production = try await store.modify(
            [operation(.create, "b", fields: #"{"other":{"value":[]\#(tag)}}"#)], growsSchema: false)
        #expect(production.error() == nil)
    }

    @Test(
        "An empty list of a list field has the field's type",
        arguments: ["", #","type":"LIST""#, #","type":"UNKNOWN_LIST""#, #","type":"EMPTY_LIST""#])
    func knownField(tag: String) async throws {
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "first", fields: #"{"tags":{"value":["x"]}}"#)])
        _ = try await store.modify([operation(.create, "a", fields: #"{"tags":{"value":[]\#(tag)}}"#)])
        #expect(try await field("tags") == json(#"{"value":[],"type":"STRING_LIST"}"#))
    }

    @Test("An update that names another field keeps an empty list, and a replacement drops it")
    func updates() async throws {
        try await store.makeZone()
        _ = try await store.modify([
            operation(.create, "a", fields: #"{"tags":{"value":[]},"more":{"value":[]},"n":{"value":1}}"#)
        ])
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"n":{"value":2}}"#)])
        #expect(try await field("tags") == json(Self.unknown))
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"tags":{"value":null}}"#)])
        #expect(try await field("tags") == nil)
        #expect(try await field("more") == json(Self.unknown))
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"late":{"value":[]}}"#)])
        #expect(try await field("late") == json(Self.unknown))
        _ = try await store.modify([operation(.forceReplace, "a", fields: #"{"n":{"value":3}}"#)])
        #expect(try await store.record("a")["fields"]?.object?.members.map(\.key) == ["n"])
    }

    @Test("An untyped empty list takes the field's type when its record is written again")
    func typedLater() async throws {
        try await store.makeZone()
        let empty = #"{"list":{"value":[]},"one":{"value":[]},"hidden":{"value":[]},"n":{"value":1}}"#
        _ = try await store.modify([operation(.create, "a", fields: empty)])
        let typed = #"""
            {"list":{"value":["x"]},"one":{"value":"x"},"hidden":{"value":["x"],"type":"ENCRYPTED_STRING_LIST"}}
            """#
        #expect(try await store.modify([operation(.create, "b", fields: typed)]).error() == nil)
        for name in ["list", "one", "hidden"] { #expect(try await field(name) == json(Self.unknown)) }
        let found = try await store.query(
            #"{"recordType":"Note","filterBy":[\#(filter("list", "\"x\"", "LIST_CONTAINS"))]}"#, zone: .notes)
        #expect(found.names == ["b"])
        let updated = try await store.modify([operation(.forceUpdate, "a", fields: #"{"n":{"value":2}}"#)])
        #expect(updated.error() == nil)
        #expect(try await field("list") == json(#"{"value":[],"type":"STRING_LIST"}"#))
        #expect(try await field("one") == nil)
        #expect(try await field("hidden")?.object?["value"] == .array([]))
    }

    @Test("Untyped empty lists count towards a record type's field limit")
    func limit() async throws {
        try await store.makeZone()
        var limits = Limits()
        limits.fieldsPerRecordType = 2
        let refused = try await store.modify(
            [operation(.create, "a", fields: #"{"a":{"value":[]},"b":{"value":[]},"c":{"value":1}}"#)],
            limits: limits)
        #expect(refused.error()?.code == .badRequest)
        _ = try await store.modify([operation(.create, "b", fields: #"{"x":{"value":1},"y":{"value":1}}"#)])
        let full = try await store.modify([operation(.create, "c", fields: #"{"a":{"value":[]}}"#)], limits: limits)
        #expect(full.error()?.reason == "record type 'Note' would have 3 fields, at most 2 are allowed")
    }
}
