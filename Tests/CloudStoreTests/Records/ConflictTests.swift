import CloudModel
import CloudStore
import TestStore
import Testing

/// The conflict table of reference A §4.2, through the whole store.
struct ConflictTests {
    enum Tag: Sendable { case none, current, other }

    @Test(
        "The conflict table holds for each operation, stored tag and sent tag",
        arguments: [
            (OperationType.create, false, Tag.none, nil),
            (.create, true, .none, .conflict),
            (.create, true, .current, .conflict),
            (.update, false, .other, .notFound),
            (.update, true, .current, nil),
            (.update, true, .other, .conflict),
            (.update, true, .none, .badRequest),
            (.forceUpdate, false, .none, nil),
            (.forceUpdate, true, .other, nil),
            (.replace, false, .other, .notFound),
            (.replace, true, .current, nil),
            (.replace, true, .other, .conflict),
            (.replace, true, .none, .badRequest),
            (.forceReplace, false, .none, nil),
            (.forceReplace, true, .other, nil),
            (.delete, false, .other, .notFound),
            (.delete, true, .current, nil),
            (.delete, true, .other, .conflict),
            (.delete, true, .none, .badRequest),
            (.forceDelete, false, .none, nil),
            (.forceDelete, true, .other, nil),
        ] as [(OperationType, Bool, Tag, ServerError.Code?)])
    func conflict(type: OperationType, isThere: Bool, tag: Tag, code: ServerError.Code?) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var current = "none"
        if isThere {
            current = try #require(try await store.modify([operation(.create, "a")]).tag())
        }
        let sent: String? =
            switch tag {
            case .none: nil
            case .current: current
            case .other: "zzz"
            }
        let before = try? await store.record("a")
        let result = try await store.modify([operation(type, "a", tag: sent)])
        #expect(result.error()?.code == code)
        if code != nil {
            let after = try? await store.record("a")
            #expect(after == before)
        } else if type.isDelete {
            #expect(result.outcomes[0].isDeleted)
            #expect(try await !store.exists("a"))
        } else {
            #expect(try await store.record("a")["recordChangeTag"]?.string != current)
        }
    }

    @Test("Update keeps fields that it does not name, replace drops them")
    func unnamedFields() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let fields = #"{"a":{"value":"1"},"b":{"value":"2"},"c":{"value":"3"}}"#
        _ = try await store.modify([operation(.create, "x", fields: fields)])
        _ = try await store.modify([
            operation(.forceUpdate, "x", fields: #"{"a":{"value":"9"},"b":{"value":null}}"#)
        ])
        var record = try await store.record("x")
        #expect(record.field("a") == .string("9"))
        #expect(record["fields"]?.object?.contains("b") == false)
        #expect(record.field("c") == .string("3"))
        _ = try await store.modify([operation(.forceReplace, "x", fields: #"{"b":{"value":"4"}}"#)])
        record = try await store.record("x")
        #expect(record["fields"]?.object?.members.map(\.key) == ["b"])
    }

    @Test(
        "Every form of an empty value clears a field",
        arguments: [#"{"value":null}"#, "{}", "null", #"{"type":"STRING"}"#])
    func emptyValues(form: String) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "x", fields: #"{"a":{"value":"1"}}"#)])
        _ = try await store.modify([operation(.forceUpdate, "x", fields: #"{"a":\#(form),"never":\#(form)}"#)])
        #expect(try await store.record("x")["fields"]?.object?.members.isEmpty == true)
        #expect(store.records.catalog.types["Note"]?.fields["never"] == nil)
    }

    @Test("A field of every type survives an update of another field") func untouchedFields() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let fields = #"""
            {"s":{"value":"é\"\\\n\u0001"},"i":{"value":-9223372036854775808,"type":"INT64"},
             "d":{"value":5,"type":"DOUBLE"},"t":{"value":1422312944104,"type":"TIMESTAMP"},
             "b":{"value":"AQID","type":"BYTES"},"n":{"value":1.5},"m":{"value":7},
             "l":{"value":{"latitude":37,"longitude":-122.5,"altitude":12,"timestamp":1422312944104}},
             "r":{"value":{"recordName":"y","action":"NONE"}},
             "e":{"value":[],"type":"STRING_LIST"},"ln":{"value":[1,2.5,3]},"lr":{"value":[{"recordName":"y"}]},
             "secret":{"value":"x","type":"STRING","isEncrypted":true}}
            """#
        let created = try await store.modify([operation(.create, "x", fields: fields)])
        #expect(created.error() == nil)
        let before = try #require(try await store.record("x")["fields"]?.object)
        _ = try await store.modify([operation(.forceUpdate, "x", fields: #"{"new":{"value":"1"}}"#)])
        let after = try #require(try await store.record("x")["fields"]?.object)
        #expect(JSONObject(after.members.filter { $0.key != "new" }) == before)
        #expect(before["secret"]?.object?["isEncrypted"] == .bool(true))
    }

    @Test("The name of a deleted record can be used again") func reusedName() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let first = try await store.modify([operation(.create, "a")]).tag()
        let token = try await store.changes().token
        _ = try await store.modify([operation(.forceDelete, "a")])
        #expect(try await store.changes(since: token).names == ["-a"])
        let again = try await store.modify([operation(.create, "a")]).tag()
        #expect(again != first)
        #expect(try await store.changes(since: token).names == ["a"])
    }

    @Test("An update keeps a record's type, creator and time of creation")
    func keptFacts() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        _ = try await store.modify([operation(.create, "a")], zone: .world)
        let born = temporary.clock.now.milliseconds
        temporary.clock.pass(milliseconds: 5)
        let other = try await store.modify([operation(.forceUpdate, "a", type: "Other")], zone: .world)
        #expect(other.error()?.code == .badRequest)
        #expect(try await store.modify([operation(.forceUpdate, "a", type: nil)], zone: .world).error() == nil)
        let record = try await store.record("a", zone: .world)
        #expect(record["created"]?.object?["timestamp"] == .integer(born))
        #expect(record["modified"]?.object?["timestamp"] == .integer(born + 5))
        #expect(record["created"]?.object?["deviceID"] == .string("iCloud"))
        #expect(record["zoneID"] == nil)
    }
}
