import CloudModel
import CloudStore
import TestStore
import Testing

/// Answers to generated questions, held against a plain evaluation in memory.
struct QueryAnswerTests {
    @Test("A query's answer equals that of evaluating each record", arguments: 1...4)
    func evaluation(seed: Int) async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await evaluate(seed, temporary)
    }

    /// The same where every index that queries ask for waits to be built.
    @Test("A query without an index answers the same", arguments: 1...2)
    func noIndex(seed: Int) async throws {
        let (temporary, _) = try await TemporaryStore.gated()
        try await evaluate(seed, temporary)
        #expect(try await temporary.indexes("Note") == [])
        #expect(try await temporary.store.schema.buildProgress().first?.fields.contains("s") == true)
        try await temporary.store.close()
    }

    private func evaluate(_ seed: Int, _ temporary: TemporaryStore) async throws {
        var generator = QueryGenerator(seed: UInt64(seed))
        generator.asksForSystemFields = true
        let store = temporary.store
        var records: [PlainRecord] = []
        for zone in QueryGenerator.zones where zone != .notes { try await store.makeZone(zone) }
        for moment in QueryGenerator.moments {
            for (number, zone) in QueryGenerator.zones.enumerated() {
                let made = (0..<10).map { index in
                    var record = generator.record(
                        "\(number)-\(moment % 10_000 / 100 + Int64(index))", zone: zone, isComplete: index == 0)
                    record.stamp(at: moment, by: "_alice")
                    record.order = records.count + index
                    return record
                }
                let result = try await store.modify(made.map(QueryGenerator.creation), zone: zone)
                #expect(result.errors.allSatisfy { $0 == nil })
                records += made
            }
            temporary.clock.pass(milliseconds: 1_000)
        }
        for _ in 0..<200 {
            let zoneWide = Bool.random(using: &generator.generator)
            let query = generator.query()
            let asked = records.filter { zoneWide || $0.zone == .notes }
            let limit = Int.random(in: 2...25, using: &generator.generator)
            try await check(query, zoneWide: zoneWide, limit: limit, asked, store)
        }
    }

    private func check(
        _ query: PlainQuery, zoneWide: Bool, limit: Int, _ records: [PlainRecord], _ store: EnvironmentStore
    ) async throws {
        let text = QueryGenerator.text(query)
        let expected = records.filter(query.matches)
        let byName = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
        var names: [String] = []
        for thresholds in [QueryThresholds(), .low] {
            let whole = try await store.query(text, zoneWide: zoneWide, thresholds: thresholds)
            #expect(whole.marker == nil)
            #expect(whole.names.sorted() == expected.map(\.name).sorted(), "\(text)")
            #expect(names == [] || whole.names == names, "the way changes the order of \(text)")
            names = whole.names
        }
        let answered = names.compactMap { byName[$0] }
        let isOrdered = zip(answered, answered.dropFirst()).allSatisfy { !query.precedes($1, $0) }
        #expect(isOrdered, "\(text) \(names)")

        let pages = try await store.pages(
            text, zoneWide: zoneWide, limit: limit, thresholds: [.low, QueryThresholds()])
        #expect(Array(pages.joined()) == names, "\(text) in pages of \(limit)")
        #expect(pages.dropLast().allSatisfy { $0.count == limit })
        #expect(pages.count == 1 || pages.last != [])
    }

    /// Records that are there throughout, with a value to sort by and without, come exactly once, whatever comes and goes between pages.
    @Test(
        "Pages of a query beside writes hold each unchanged record once",
        arguments: [
            #"{"recordType":"Note"}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"i"}}"#,
            #"{"recordType":"Note","sortBy":[{"fieldName":"i","ascending":false},{"fieldName":"s"}]}"#,
            #"{"recordType":"Note","filterBy":{"fieldName":"i","comparator":"GREATER_THAN","fieldValue":{"value":-9}}}"#,
            #"{"recordType":"Note","sortBy":{"systemFieldName":"modifiedTimestamp","ascending":false}}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"d"}}"#,
            #"{"recordType":"Note","sortBy":[{"fieldName":"d","ascending":false},{"fieldName":"n"}]}"#,
            #"{"recordType":"Note","sortBy":[{"fieldName":"n"},{"fieldName":"d","ascending":false}]}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"q","ascending":false,"relativeLocation":{"latitude":50,"longitude":8}}}"#,
            #"{"recordType":"Note","filterBy":{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"kept"}}}"#,
            #"{"recordType":"Note","filterBy":{"fieldName":"w","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"kept"}},"sortBy":{"fieldName":"i"}}"#,
            #"{"recordType":"Note","filterBy":{"fieldName":"p","comparator":"NEAR","distance":3e7,"fieldValue":{"value":{"latitude":1,"longitude":2}}}}"#,
            #"{"recordType":"Note","sortBy":{"fieldName":"p","relativeLocation":{"latitude":50,"longitude":8}}}"#,
            #"{"recordType":"Note","sortBy":[{"fieldName":"p","ascending":false,"relativeLocation":{"latitude":50,"longitude":8}},{"fieldName":"s"}]}"#,
        ])
    func pagesUnderWrites(query: String) async throws {
        var generator = QueryGenerator(seed: 5)
        let store = try TemporaryStore().store
        try await store.makeZone()
        let staying = (0..<30).map { kept(generator.record("stays\($0)", zone: .notes, isComplete: $0 == 0)) }
        let going = (0..<30).map { kept(generator.record("goes\($0)", zone: .notes, isComplete: false)) }
        _ = try await store.modify((staying + going).map(QueryGenerator.creation))
        var seen: [String] = []
        var marker: String?
        var round = 0
        repeat {
            let page = try await store.query(
                query, marker: marker, limit: 4, thresholds: round % 2 == 0 ? .low : QueryThresholds())
            seen += page.names
            marker = page.marker
            let new = kept(generator.record("new\(round)", zone: .notes, isComplete: false))
            _ = try await store.modify([QueryGenerator.creation(new), operation(.forceDelete, "goes\(round * 3 % 30)")])
            round += 1
        } while marker != nil && round < 100
        #expect(seen.filter { $0.hasPrefix("stays") }.sorted() == staying.map(\.name).sorted())
        #expect(Set(seen).count == seen.count)
    }

    private func kept(_ record: PlainRecord) -> PlainRecord {
        var record = record
        record.values["w"] = .one(.text("kept"))
        record.values["i"] = .one(.whole(Int64(record.name.utf8.count)))
        record.values["p"] = .place(Coordinate(latitude: 5, longitude: Double(record.name.utf8.last ?? 0)))
        return record
    }
}

extension PlainRecord {
    /// Gives it what the server says of it.
    mutating func stamp(at moment: Int64, by user: String) {
        values["___createTime"] = .one(.whole(moment))
        values["___modTime"] = .one(.whole(moment))
        values["___recordID"] = .one(.text(name))
        values["___createdBy"] = .one(.text(user))
    }
}
