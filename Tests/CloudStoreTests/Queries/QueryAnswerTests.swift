import CloudModel
import CloudStore
import Testing

/// Answers to generated questions, held against a plain evaluation in memory.
struct QueryAnswerTests {
    @Test(arguments: 1...10)
    func theAnswerIsThatOfAPlainEvaluation(seed: Int) async throws {
        var generator = QueryGenerator(seed: UInt64(seed))
        let store = try TemporaryStore().store
        var records: [PlainRecord] = []
        for (number, zone) in QueryGenerator.zones.enumerated() {
            try await store.makeZone(zone)
            let made = (0..<30).map { generator.record("\(number)-\($0)", zone: zone, isComplete: $0 == 0) }
            let result = try await store.modify(made.map(QueryGenerator.creation), zone: zone)
            #expect(result.errors.allSatisfy { $0 == nil })
            records += made
        }
        for _ in 0..<40 {
            let zoneWide = Bool.random(using: &generator.generator)
            let query = generator.query()
            let asked = records.filter { zoneWide || $0.zone == .notes }
            let limit = Int.random(in: 1...7, using: &generator.generator)
            try await check(query, zoneWide: zoneWide, limit: limit, asked, store)
        }
    }

    private func check(
        _ query: PlainQuery, zoneWide: Bool, limit: Int, _ records: [PlainRecord], _ store: SQLiteRecordStore
    ) async throws {
        let text = QueryGenerator.text(query)
        let whole = try await store.query(text, zoneWide: zoneWide)
        #expect(whole.marker == nil)
        let expected = records.filter(query.matches)
        #expect(whole.names.sorted() == expected.map(\.name).sorted(), "\(text)")
        let byName = Dictionary(records.map { ($0.name, $0) }) { first, _ in first }
        let answered = whole.names.compactMap { byName[$0] }
        let isOrdered = zip(answered, answered.dropFirst()).allSatisfy { !query.precedes($1, $0) }
        #expect(isOrdered, "\(text) \(whole.names)")

        let pages = try await store.pages(text, zoneWide: zoneWide, limit: limit)
        #expect(Array(pages.joined()) == whole.names, "\(text) in pages of \(limit)")
        #expect(pages.dropLast().allSatisfy { $0.count == limit })
        #expect(pages.count == 1 || pages.last != [])
    }

    /// Records that are there throughout come exactly once, whatever comes and goes between pages.
    @Test(arguments: [
        #"{"recordType":"Note"}"#,
        #"{"recordType":"Note","sortBy":{"fieldName":"i"}}"#,
        #"{"recordType":"Note","sortBy":[{"fieldName":"i","ascending":false},{"fieldName":"s"}]}"#,
        #"{"recordType":"Note","filterBy":{"fieldName":"i","comparator":"GREATER_THAN","fieldValue":{"value":-9}}}"#,
        #"{"recordType":"Note","sortBy":{"systemFieldName":"modifiedTimestamp","ascending":false}}"#,
    ])
    func pagesHoldTheirPlaceUnderWrites(query: String) async throws {
        var generator = QueryGenerator(seed: 5)
        let store = try TemporaryStore().store
        try await store.makeZone()
        let staying = (0..<30).map { generator.record("stays\($0)", zone: .notes, isComplete: true) }
        let going = (0..<30).map { generator.record("goes\($0)", zone: .notes, isComplete: true) }
        _ = try await store.modify((staying + going).map(QueryGenerator.creation))
        var seen: [String] = []
        var marker: String?
        var round = 0
        repeat {
            let page = try await store.query(query, marker: marker, limit: 4)
            seen += page.names
            marker = page.marker
            let new = generator.record("new\(round)", zone: .notes, isComplete: true)
            _ = try await store.modify([QueryGenerator.creation(new), operation(.forceDelete, "goes\(round * 3 % 30)")])
            round += 1
        } while marker != nil && round < 100
        #expect(seen.filter { $0.hasPrefix("stays") }.sorted() == staying.map(\.name).sorted())
        #expect(Set(seen).count == seen.count)
    }
}
