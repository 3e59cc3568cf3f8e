import CloudCrypto
import CloudModel
import CloudSQL
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// A query that takes the plan of one like it answers as if it were the first of its kind.
@Suite(.timeLimit(.minutes(5)))
struct QueryOutlineTests {
    private static let secret = SymmetricKey(size: .bits256)
    private static let values = ["0", "3", "-1", "2.5", "1e300", "\"a\"", "\"5\"", "\"\"", "true", "[1]", "{}"]

    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        try await temporary.store.schema.apply(
            """
            RECORD TYPE Note (n INT64 QUERYABLE SORTABLE, d DOUBLE QUERYABLE, t STRING QUERYABLE SORTABLE,
            l LIST<INT64> QUERYABLE, r REFERENCE QUERYABLE, u INT64);
            """)
        _ = try await temporary.store.modify(
            (0..<12).map { number in
                operation(
                    .create, "r\(number)",
                    fields: """
                        {"n":{"value":\(number % 5)},"d":{"value":\(number % 3).5},"t":{"value":"\(number % 4)"},
                        "u":{"value":1}}
                        """)
            })
        await temporary.store.stored.work.finished()
        return temporary
    }

    private func filter(_ field: String, _ comparator: String, _ value: String, more: String = "") -> String {
        #"{"fieldName":"\#(field)","comparator":"\#(comparator)","fieldValue":{"value":\#(value)\#(more)}}"#
    }

    private func request(
        _ filters: [String], sort: String = "", limit: Int = 3, strict: Bool = false, zone: ZoneID = .notes,
        marker: String? = nil
    ) throws -> QueryRequest {
        let sort = sort.isEmpty ? "" : #","sortBy":[{"fieldName":"\#(sort)"}]"#
        let text = #"{"recordType":"Note","filterBy":[\#(filters.joined(separator: ","))]\#(sort)}"#
        var request = QueryRequest(
            zone: zone, zoneWide: false, query: try Query(json(text), limits: Limits()), continuationMarker: marker,
            limit: limit, strict: strict, caller: .alice, limits: Limits())
        request.trace = RequestTrace()
        return request
    }

    /// The answer, or the refusal, with what the request's record has of it.
    private func answer(
        _ request: QueryRequest, _ outlines: QueryOutlines, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> [String] {
        var lines: [String]
        do {
            let page = try page(request, outlines, catalog, db)
            lines = page.records.map { String(decoding: $0.bytes, as: UTF8.self) } + [page.continuationMarker ?? ""]
        } catch let error as ServerError {
            lines = [error.reason]
        }
        return lines + (request.trace?.notes.steps.map { "\($0)" } ?? [])
    }

    private func page(
        _ request: QueryRequest, _ outlines: QueryOutlines, _ catalog: Catalog, _ db: SQLConnection
    ) throws -> QueryPage {
        try request.run(
            db, catalog: catalog, roles: RoleMemory().reader(), secret: Self.secret, outlines: outlines)
    }

    /// Asks each with the plans of those before, and alone.
    private func compare(_ requests: [() throws -> QueryRequest], _ temporary: TemporaryStore) throws -> QueryOutlines {
        let (shared, catalog) = (QueryOutlines(), temporary.store.records.catalog)
        try temporary.read { db in
            for request in requests {
                let (asked, again) = (try request(), try request())
                let lines = try answer(asked, shared, catalog, db)
                let alone = try answer(again, QueryOutlines(), catalog, db)
                #expect(lines == alone, "\(asked.query)")
            }
        }
        return shared
    }

    @Test("Queries that differ only in values share one plan and get the same answers")
    func answers() async throws {
        let temporary = try await filled()
        var requests: [() throws -> QueryRequest] = []
        for comparator in Comparator.allCases.map(\.rawValue) {
            for field in ["n", "d", "t", "l", "r", "___createTime", "___createdBy"] {
                for value in Self.values {
                    for sort in ["", "n"] {
                        requests.append { try request([filter(field, comparator, value)], sort: sort) }
                    }
                }
            }
        }
        let plans = try compare(requests, temporary).count
        #expect(plans > 20)
        try await temporary.store.close()
    }

    @Test("Each of several filters is compared with its own value", arguments: ["EQUALS", "LESS_THAN", "NOT_EQUALS"])
    func severalFilters(comparator: String) async throws {
        let temporary = try await filled()
        var requests: [() throws -> QueryRequest] = []
        for first in 0..<5 {
            for second in 0..<3 {
                let filters = [
                    filter("u", "NOT_EQUALS", "\(second)"), filter("n", comparator, "\(first)"),
                    filter("d", "NOT_EQUALS", "\(second).5"),
                ]
                requests.append { try request(filters, limit: 20) }
            }
        }
        let plans = try compare(requests, temporary).count
        #expect(plans == 1)
        try await temporary.store.close()
    }

    @Test("Any difference that affects a plan besides values makes another plan")
    func otherShapes() async throws {
        let temporary = try await filled()
        let one = filter("n", "EQUALS", "1")
        let requests: [() throws -> QueryRequest] = [
            { try request([one]) }, { try request([filter("n", "EQUALS", "1", more: #","type":"STRING""#)]) },
            { try request([filter("n", "EQUALS", "1", more: #","type":"INT64""#)]) },
            { try request([filter("u", "EQUALS", "1")], strict: true) }, { try request([filter("N", "EQUALS", "1")]) },
            { try request([one], strict: true) }, { try request([]) }, { try request([], strict: true) },
            { try request([one], zone: ZoneID(name: "none", owner: "_alice")) },
        ]
        let plans = try compare(requests + requests, temporary).count
        #expect(plans == 4)
        try await temporary.store.close()
    }

    @Test("Pages read with a shared plan continue where they ended")
    func pages() async throws {
        let temporary = try await filled()
        let (shared, catalog) = (QueryOutlines(), temporary.store.records.catalog)
        try temporary.read { db in
            for value in [3, 4, 2] {
                var found: [[RecordBody]] = []
                for outlines in [shared, QueryOutlines()] {
                    var (marker, records): (String?, [RecordBody]) = (nil, [])
                    repeat {
                        let page = try page(
                            request([filter("n", "LESS_THAN", "\(value)")], marker: marker), outlines, catalog, db)
                        (marker, records) = (page.continuationMarker, records + page.records)
                    } while marker != nil
                    found.append(records)
                }
                #expect(found[0] == found[1] && found[0].count > 3)
            }
        }
        try await temporary.store.close()
    }

    @Test("A plan ends with its schema version")
    func anotherSchema() async throws {
        let temporary = try await filled()
        let text = #"{"recordType":"Note","filterBy":[\#(filter("n", "EQUALS", "1"))]}"#
        for _ in 0..<2 { #expect(try await temporary.store.query(text, strict: true).names.count == 3) }
        try await temporary.store.schema.apply("RECORD TYPE Note (n INT64 SORTABLE);")
        await #expect(throws: ServerError.self) { try await temporary.store.query(text, strict: true) }
        try await temporary.store.close()
    }

    @Test("Cached plans are bounded, and hold no values")
    func bounded() async throws {
        let temporary = try await filled()
        var requests: [() throws -> QueryRequest] = []
        for number in 0..<40 {
            let filters = (0..<number).map { filter($0 % 2 == 0 ? "u" : "n", "NOT_EQUALS", "\($0)") }
            for sort in ["", "n", "t", "d", "___createTime", "___modTime", "u"] {
                requests.append { try request(filters, sort: sort) }
            }
        }
        let count = try compare(requests, temporary).count
        #expect(count > 100 && count <= 256)
        let large = QueryShape(
            try Query(
                json(
                    #"{"recordType":"Note","filterBy":[\#(filter("t", "EQUALS", "\"\(String(repeating: "x", count: 999))\""))]}"#
                ), limits: Limits()), strict: false)
        let bare = try #require(large).bare
        #expect(!"\(bare)".contains("xxx"))
        try await temporary.store.close()
    }
}
