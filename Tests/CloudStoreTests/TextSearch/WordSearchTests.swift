import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Searches for words, through all that happens to a record (reference A §5.3).
struct WordSearchTests {
    private func search(
        _ words: String, _ comparator: Comparator = .containsAllTokens, field: String? = "title", more: String = ""
    ) -> String {
        let name = field.map { #""fieldName":"\#($0)","# } ?? ""
        let filter = #"{\#(name)"comparator":"\#(comparator.rawValue)","fieldValue":{"value":\#(words)}}"#
        return #"{"recordType":"Note","filterBy":[\#(filter)]\#(more)}"#
    }

    private func note(_ name: String, _ title: String, body: String = "") -> String {
        operation(
            .forceReplace, name,
            fields: #"{"title":{"value":"\#(title)"},"text":{"value":"\#(body)"},"i":{"value":1}}"#)
    }

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let result = try await temporary.store.modify([
            note("a", "Málaga Airport", body: "sunny and warm"), note("b", "Airport of Zürich", body: "cold"),
            note("c", "Straße 5", body: "an airport is here"), operation(.create, "d", fields: #"{"i":{"value":2}}"#),
        ])
        #expect(result.errors.allSatisfy { $0 == nil })
        // From the first search on words are kept.
        #expect(try await temporary.store.query(search(#""airport""#, field: nil)).names == ["a", "b", "c"])
        return temporary
    }

    private static let searches: [(String, Comparator, String?, [String]?)] = [
        (#""malaga""#, Comparator.containsAllTokens, "title", ["a"]),
        (#""AIRPORT""#, .containsAllTokens, "title", ["a", "b"]),
        (#""airport málaga""#, .containsAllTokens, "title", ["a"]),
        (#""airport warm""#, .containsAllTokens, "title", []),
        (#""zurich strasse""#, .containsAnyTokens, "title", ["b", "c"]),
        (#""zurich strasse""#, .containsAllTokens, "title", []),
        (#"["zürich","the airport"]"#, .containsAllTokens, "title", ["b"]),
        (#""of airport""#, .containsAllTokens, "title", ["a", "b"]),
        (#""air""#, .containsAllTokens, "title", []), (#""airport""#, .containsAllTokens, nil, ["a", "b", "c"]),
        (#""airport warm""#, .containsAllTokens, nil, ["a"]), (#""warm cold""#, .containsAnyTokens, nil, ["a", "b"]),
        (#""5 airport""#, .containsAllTokens, nil, ["c"]), (#""\"OR\" *""#, .containsAnyTokens, nil, nil),
        (#""title:airport\u0000""#, .containsAnyTokens, "title", ["a", "b"]),
    ]

    @Test("Token comparators find the records with the given words", arguments: searches)
    func tokenComparators(words: String, comparator: Comparator, field: String?, names: [String]?) async throws {
        let store = try await filled().store
        let text = search(words, comparator, field: field)
        guard let names else {
            await #expect(throws: ServerError.self) { try await store.query(text) }
            return
        }
        #expect(try await store.query(text).names == names)
        #expect(try await store.query(text, zoneWide: true).names == names)
        #expect(try await store.pages(text, limit: 1).flatMap(\.self) == names)
        let sorted = search(
            words, comparator, field: field, more: #","sortBy":{"fieldName":"title","ascending":false}"#)
        #expect(try await store.query(sorted).names.sorted() == names)
    }

    @Test("Words are indexed and removed with their record") func indexing() async throws {
        let temporary = try await filled()
        let store = temporary.store
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"title":{"value":"Valencia"}}"#)])
        #expect(try await store.query(search(#""malaga""#)).names == [])
        #expect(try await store.query(search(#""valencia""#)).names == ["a"])
        #expect(try await store.query(search(#""warm""#, field: "text")).names == ["a"])
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"title":{"value":null}}"#)])
        #expect(try await store.query(search(#""valencia""#)).names == [])
        _ = try await store.modify([operation(.forceDelete, "a"), operation(.forceDelete, "c")])
        #expect(try await store.query(search(#""airport""#, field: nil)).names == ["b"])
        _ = try await store.modify([note("c", "here again")])
        #expect(try await store.query(search(#""here""#, field: nil)).names == ["c"])
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        try await store.makeZone()
        _ = try await store.modify([note("z", "z")])
        #expect(
            try await store.query(search(#""airport""#, .containsAnyTokens, field: nil), zoneWide: true).names == [])
        #expect(try await words(temporary) == ["z"])
    }

    /// An undone request leaves no words, and takes away nobody else's.
    @Test("A request that is undone leaves no words in the index") func undone() async throws {
        let temporary = try await filled()
        let store = temporary.store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let fails = number % 3 == 0
                    let last = fails ? operation(.update, "none", tag: "1") : note("x\(number)", "extra")
                    _ = try await store.modify([note("n\(number)", "extra airport"), last], atomic: true)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.query(search(#""extra""#)).names.count == 80)
        #expect(try await words(temporary).filter { $0 == "extra" }.count == 1)
        _ = try await store.modify(
            (0..<60).flatMap { [operation(.forceDelete, "n\($0)"), operation(.forceDelete, "x\($0)")] })
        #expect(try await words(temporary).contains("extra") == false)
    }

    /// A subscription that asks for words makes the group's words be written early, and again when that is undone.
    @Test("Words of a record are indexed before subscriptions are matched") func subscriptions() async throws {
        let temporary = try await filled()
        let store = temporary.store
        try await store.listen()
        try await store.subscribe(
            "s",
            querySubscription(
                filters: #"{"fieldName":"title","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"NEWS"}}"#,
                more: #""zoneWide":true"#))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let operations = [
                        note("n\(number)", number % 2 == 0 ? "Old" : "The News"),
                        number % 5 == 0 ? operation(.update, "none", tag: "1") : note("o\(number)", "paper"),
                    ]
                    _ = try await store.modify(operations, atomic: true)
                }
            }
            try await group.waitForAll()
        }
        let expected = (0..<40).filter { $0 % 2 == 1 && $0 % 5 != 0 }.map { "s+n\($0)" }
        #expect(try await store.news().sorted() == expected.sorted())
        _ = try await store.modify([operation(.forceDelete, "n1"), note("n3", "old news"), note("n7", "silence")])
        #expect(try await store.news().sorted() == ["s-n1", "s~n3"])
        #expect(try await store.query(search(#""paper""#)).names.count == 32)
        #expect(try await store.query(search(#""news""#)).names.count == expected.count - 2)
    }

    @Test("A search without a field covers strings and lists of strings") func allFields() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([
            operation(.create, "a", fields: #"{"tags":{"value":["Red Hot","Red"]},"t":{"value":"x"}}"#)
        ])
        let tags = #"{"fieldName":"tags","comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"hot"}}"#
        let text = #"{"recordType":"Note","filterBy":[\#(tags)]}"#
        await #expect(
            throws: ServerError.badRequest(
                "Field 'tags' is not marked searchable; add SEARCHABLE to tags of 'Note' in the schema")
        ) {
            try await temporary.store.query(text)
        }
        try await temporary.store.close()
        try await temporary.execute(
            "UPDATE fields SET indexes = 'QUERYABLE SEARCHABLE' WHERE name = 'tags'; UPDATE store SET catalog_version = catalog_version + 1"
        )
        let reopened = try temporary.open()
        _ = try await reopened.modify([operation(.forceUpdate, "a", fields: #"{"t":{"value":"y"}}"#)])
        #expect(try await reopened.query(text).names == ["a"])
        _ = try await reopened.modify([operation(.forceDelete, "a")])
        #expect(try await words(temporary) == [])
    }

    /// Of a long text the first words are kept, and all of these are taken out again.
    @Test("Only the first words of a long text are found") func longText() async throws {
        let temporary = try await filled()
        let long = (0..<Words.mostKept + 10).map { "w\($0)" }.joined(separator: " ")
        _ = try await temporary.store.modify([note("long", long)])
        #expect(try await temporary.store.query(search(#""w\#(Words.mostKept - 1)""#)).names == ["long"])
        #expect(try await temporary.store.query(search(#""w\#(Words.mostKept)""#)).names == [])
        _ = try await temporary.store.modify(["a", "b", "c", "long"].map { operation(.forceDelete, $0) })
        #expect(try await words(temporary) == [])
    }

    /// Words that another version put in are not there any more once the file has been opened.
    @Test("Words of another version are indexed anew") func otherVersion() async throws {
        let temporary = try await filled()
        try await temporary.store.close()
        try await temporary.execute(
            "UPDATE text_sets SET version = version - 1")
        try temporary.write { db in
            let first = try db.first("SELECT min(id) FROM records") { $0.integer(0) } ?? 0
            try db.dialect.words.insert("1:1:former", of: first, db)
        }
        let reopened = try temporary.open()
        #expect(try await reopened.query(search(#""airport""#)).names == ["a", "b"])
        #expect(try await words(temporary).contains("former") == false)
        #expect(try await temporary.count("text_sets") == 1)
        _ = try await reopened.modify(["a", "b", "c"].map { operation(.forceDelete, $0) })
        #expect(try await words(temporary) == [])
    }

    @Test("The word buffer is full by bytes or by records") func fullBuffer() {
        var buffer = WordBuffer()
        buffer.add(String(repeating: "x", count: WordBuffer.mostBytes - 1), to: 1)
        #expect(!buffer.isFull)
        buffer.remove("x", from: 2)
        #expect(buffer.isFull)
        var small = WordBuffer()
        for record in 0..<WordBuffer.mostRecords { small.add("x", to: Int64(record)) }
        #expect(small.isFull)
    }

    @Test("A search for too many words or terms is refused") func tooManyTerms() async throws {
        let store = try await filled().store
        let many = (0..<1000).map { "w\($0)" }.joined(separator: " ")
        #expect(try await store.query(search("\"\(many)\"", .containsAnyTokens)).names == [])
        let error = await #expect(throws: ServerError.self) { try await store.query(search("\"\(many) more\"")) }
        #expect(
            error?.reason == "CONTAINS_ALL_TOKENS on field 'title' has more than 1000 words, which is the most allowed")
        for zone in 0..<10 { try await store.makeZone(ZoneID(name: "Z\(zone)", owner: "_alice")) }
        let wide = await #expect(throws: ServerError.self) {
            try await store.query(search("\"\(many)\"", .containsAnyTokens, field: nil), zoneWide: true)
        }
        #expect(
            wide?.reason
                == "a search for 1000 words in 2 fields and 11 zones is one for 22000 terms, at most 10000 are allowed; "
                + "name a field or name a zone or search for fewer words")
        let named = await #expect(throws: ServerError.self) {
            try await store.query(search("\"\(many)\"", .containsAnyTokens), zoneWide: true)
        }
        #expect(named?.reason.hasSuffix("; name a zone or search for fewer words") == true)
    }

    /// The distinct words in the index.
    private func words(_ temporary: TemporaryStore) async throws -> [String] {
        Array(Set(try await temporary.tokens().map { String($0.split(separator: ":")[2]) })).sorted()
    }
}
