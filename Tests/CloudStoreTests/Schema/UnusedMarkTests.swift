import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Index marks on fields that no query can use them for, as Apple's exports have them on BYTES.
struct UnusedMarkTests {
    private static let marks = "QUERYABLE SEARCHABLE SORTABLE"
    /// Fields of types whose marks no query uses, and some with marks that queries use.
    private static let schema = """
        RECORD TYPE Note (
            bytes BYTES \(marks), byteses LIST<BYTES> \(marks), file ASSET \(marks), files LIST<ASSET> \(marks),
            secret ENCRYPTED STRING \(marks), places LIST<LOCATION> \(marks), count INT64 \(marks),
            counts LIST<INT64> \(marks), text STRING \(marks), "___createTime" TIMESTAMP SEARCHABLE,
            "___etag" STRING \(marks), GRANT WRITE TO "_creator"
        );
        """

    private func filled(_ pace: BuildPace) async throws -> TemporaryStore {
        let temporary = try TemporaryStore(pace: pace)
        try await temporary.store.makeZone()
        try await temporary.store.schema.apply(Self.schema)
        let fields = """
            {"bytes":{"value":"AAEC"},"byteses":{"value":["AAEC"]},"count":{"value":7},"counts":{"value":[1,2]},
             "text":{"value":"fresh bread"},"secret":{"value":"x","isEncrypted":true}}
            """
        let result = try await temporary.store.modify((0..<10).map { operation(.create, "r\($0)", fields: fields) })
        #expect(result.errors.allSatisfy { $0 == nil })
        await temporary.store.stored.work.finished()
        return temporary
    }

    @Test("Unusable marks are kept in the schema's text and create no index", arguments: [BuildPace(), .slow])
    func kept(pace: BuildPace) async throws {
        let store = try await filled(pace).store
        #expect(try await store.schema.apply(Self.schema) == [])
        let written = try SchemaParser.parse(SchemaText.text(try await store.schema.current()))
        #expect(try written.types["Note"] == definition(Self.schema).types["Note"])
        let type = try #require(store.records.catalog.types["Note"])
        let indexed = ["count", "text"].compactMap { type.fields[$0] }.map { SchemaTables.column(.field($0)) }
        #expect(Set(type.indexes.keys) == Set(indexed) && type.unbuilt.isEmpty)
        #expect(type.searchable.map(\.name) == ["text"])
    }

    @Test(
        "A query by a field with an unusable mark is refused by its type, and one by another field is answered",
        arguments: [
            ("bytes", "EQUALS", #""AAEC""#, "BYTES"), ("byteses", "LIST_CONTAINS", #""AAEC""#, "BYTES_LIST"),
            ("bytes", "CONTAINS_ALL_TOKENS", #""AAEC""#, "BYTES"), ("file", "EQUALS", #""x""#, "ASSETID"),
            ("secret", "EQUALS", #""x""#, "ENCRYPTED_STRING"), ("count", "CONTAINS_ANY_TOKENS", #""7""#, "INT64"),
        ])
    func queried(field: String, comparator: String, value: String, type: String) async throws {
        let store = try await filled(BuildPace()).store
        let error = await #expect(throws: ServerError.self) {
            try await store.query(#"{"recordType":"Note","filterBy":[\#(filter(field, value, comparator))]}"#)
        }
        #expect(
            error?.reason.hasPrefix("Field '\(field)' has a value type of \(type) and cannot be queried") == true,
            "\(String(describing: error))")
        let names = try await store.query(
            #"{"recordType":"Note","filterBy":[\#(filter("text", #""bread""#, "CONTAINS_ALL_TOKENS")),\#(filter("count", "7"))]}"#
        ).names
        #expect(names.count == 10)
    }

    @Test("Sorting by a field with an unusable mark is refused", arguments: ["bytes", "file", "counts"])
    func sorted(field: String) async throws {
        let store = try await filled(BuildPace()).store
        let error = await #expect(throws: ServerError.self) {
            try await store.query(#"{"recordType":"Note","sortBy":[{"fieldName":"\#(field)"}]}"#)
        }
        #expect(error?.reason.contains("cannot be sorted by") == true, "\(String(describing: error))")
    }

    @Test("Unusable marks are added and removed without a build, and are deployed", arguments: [BuildPace(), .slow])
    func changed(pace: BuildPace) async throws {
        let temporary = try await filled(pace)
        let store = temporary.store
        let without = Self.schema.replacing("bytes BYTES \(Self.marks)", with: "bytes BYTES")
        let removed = try await store.schema.apply(without)
        #expect(
            removed == [
                .indexField(type: "Note", name: "bytes", from: [.queryable, .searchable, .sortable], to: [])
            ])
        let type = try #require(store.records.catalog.types["Note"])
        #expect(type.building == nil && type.unbuilt.isEmpty)
        #expect(try await store.schema.apply(Self.schema).count == 1)
        #expect(try await store.record("r3").field("bytes") == .string("AAEC"))
    }
}
