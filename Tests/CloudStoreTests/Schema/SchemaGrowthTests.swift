import CloudModel
import CloudStore
import TestEngine
import TestStore
import Testing

/// Types and fields made just in time, and the refusals where they may not be (reference A §9.4, §11.1).
struct SchemaGrowthTests {
    @Test("Saving the first record creates its type and fields") func firstRecord() async throws {
        let temporary = try TemporaryStore()
        let fields = #"""
            {"s":{"value":"x"},"n":{"value":1},"i":{"value":1,"type":"INT64"},"b":{"value":true},
             "t":{"value":1,"type":"TIMESTAMP"},"l":{"value":["x"]},"r":{"value":{"recordName":"x"}},
             "p":{"value":{"latitude":1,"longitude":2}},"y":{"value":"AA==","type":"BYTES"},
             "e":{"value":"x","type":"STRING","isEncrypted":true}}
            """#
        try await temporary.store.makeZone()
        #expect(try await temporary.store.modify([operation(.create, "a", fields: fields)]).error() == nil)
        let expected: [String: FieldType] = [
            "s": FieldType(.string), "n": FieldType(.number), "i": FieldType(.int64), "b": FieldType(.int64),
            "t": FieldType(.timestamp), "l": FieldType(.string, isList: true), "r": FieldType(.reference),
            "p": FieldType(.location), "y": FieldType(.bytes), "e": FieldType(.string, isEncrypted: true),
        ]
        #expect(temporary.store.records.catalog.types["Note"]?.fields.mapValues(\.type) == expected)
        #expect(temporary.store.records.catalog.types["Note"]?.grants == .standard)
        try await temporary.store.close()
        let reopened = try temporary.open()
        #expect(reopened.records.catalog == temporary.store.records.catalog)
        #expect(try await reopened.record("a").field("s") == .string("x"))
    }

    /// Columns come with the table: adding one to a table reads the whole schema of the file.
    @Test(
        "A type with many fields is created by one save",
        .enabled(if: !ChosenEngine.isPostgres, "about the schema's version of SQLite"))
    func wideType() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        func changes() async throws -> Int { try await Int(temporary.column("PRAGMA schema_version")[0]) ?? 0 }
        let before = try await changes()
        let fields = (0..<250).map { #""f\#($0)":{"value":1}"# }.joined(separator: ",")
        #expect(try await temporary.store.modify([operation(.create, "a", fields: "{\(fields)}")]).error() == nil)
        #expect(try await changes() - before == 1)
        #expect(temporary.store.records.catalog.types["Note"]?.fields.count == 250)
        #expect(
            try await temporary.store.query(#"{"recordType":"Note","filterBy":[\#(filter("f249", "1"))]}"#).names == [
                "a"
            ])
    }

    @Test(
        "A type or field that may not be created just in time is refused",
        arguments: [
            (
                ContainerEnvironment.production, "New", #"{"f":{"value":1}}"#,
                ServerError.badRequest("Cannot create new type New in production schema", .schema(.closed(.production)))
            ),
            (
                .production, "New", "{}",
                .badRequest("Cannot create new type New in production schema", .schema(.closed(.production)))
            ),
            (
                .production, "Users", #"{"f":{"value":1}}"#,
                .badRequest(
                    "Cannot create or modify field 'f' in record 'Users' in production schema",
                    .schema(.closed(.production)))
            ),
            (.development, "New", "{}", ServerError(.notFound, "Did not find record type: New", .schema(.unknownType))),
            (.development, "Users", #"{"f":{"value":1}}"#, .badRequest("Field f not found in Users")),
        ])
    func refusals(environment: ContainerEnvironment, type: String, fields: String, expected: ServerError) async throws {
        let store = try TemporaryStore(environment).store
        try await store.users.ensure("_alice")
        let name = type == "Users" ? "_alice" : "a"
        let result = try await store.modify(
            [operation(.forceUpdate, name, type: type, fields: fields)], zone: .world, growsSchema: false)
        #expect(result.error() == expected)
    }

    @Test("A field keeps the type of its first value") func firstValue() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let result = try await store.modify([
            operation(.create, "a", fields: #"{"f":{"value":"x"}}"#),
            operation(.create, "b", fields: #"{"f":{"value":1}}"#),
            operation(.create, "c", fields: #"{"f":{"value":1,"type":"INT64"}}"#),
        ])
        #expect(result.error(0) == nil)
        #expect(result.error(1) == .badRequest("Invalid value, expected type STRING. Field 'f'"))
        #expect(
            result.error(2)
                == .badRequest(
                    "invalid attempt to set value type INT64 for field 'f' for type 'Note', defined to be: STRING",
                    .schema(.type(field: "f"))))
    }

    @Test("A save over a schema limit is refused with the number") func overLimit() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var limits = Limits()
        limits.fieldsPerRecordType = 3
        limits.recordTypes = 3
        let three = #"{"a":{"value":1},"b":{"value":1},"c":{"value":1}}"#
        let result = try await store.modify(
            [
                operation(.create, "a", fields: three), operation(.create, "b", fields: #"{"d":{"value":1}}"#),
                operation(.create, "c", type: "Second"),
            ], limits: limits)
        #expect(result.error(0) == nil)
        #expect(result.error(1)?.reason == "record type 'Note' would have 4 fields, at most 3 are allowed")
        #expect(result.error(2)?.code == .badRequest)
        #expect(result.error(2)?.reason.contains("3 record types") == true)
    }

    @Test("Encrypted fields are refused in the public database") func encrypted() async throws {
        let store = try TemporaryStore().store
        let fields = #"{"f":{"value":"x","type":"STRING","isEncrypted":true}}"#
        let result = try await store.modify([operation(.create, "a", fields: fields)], zone: .world)
        #expect(result.error()?.code == .badRequest)
        #expect(result.error()?.reason.hasPrefix("encrypted fields are not supported in the public database") == true)
    }
}
