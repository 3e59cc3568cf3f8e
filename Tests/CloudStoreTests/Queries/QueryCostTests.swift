import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import CloudCrypto
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A page costs what is on it, however much matches its filters.
@Suite(.enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
struct QueryCostTests {
    private static let count = 1_000
    private static let tagged = #"{"fieldName":"l","comparator":"LIST_CONTAINS","fieldValue":{"value":"all"}}"#
    private static let either =
        #"{"fieldName":"l","comparator":"LIST_CONTAINS_ANY","fieldValue":{"value":["all","some"]}}"#
    private static let worded = #"{"fieldName":"w","comparator":"CONTAINS_ALL_TOKENS","fieldValue":{"value":"fox"}}"#
    private static let unnamed = #"{"comparator":"CONTAINS_ANY_TOKENS","fieldValue":{"value":"fox all"}}"#

    private static func near(_ distance: Int) -> String {
        #"{"fieldName":"p","comparator":"NEAR","distance":\#(distance),"fieldValue":{"value":{"latitude":1,"longitude":2}}}"#
    }

    private static func sort(ascending: Bool) -> String {
        #"{"fieldName":"p","ascending":\#(ascending),"relativeLocation":{"latitude":1,"longitude":2}}"#
    }

    /// Records around the world that all have the same tag and word.
    private func filled() async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        var generator = SeededGenerator(seed: 7)
        for batch in 0..<Self.count / 500 {
            let operations = (0..<500).map { index in
                let latitude = Double.random(in: -80...80, using: &generator)
                let longitude = Double.random(in: -180...180, using: &generator)
                return operation(
                    .create, "\(batch)-\(index)",
                    fields: """
                        {"p":{"value":{"latitude":\(latitude),"longitude":\(longitude)}},"w":{"value":"a fox"},
                        "l":{"value":["all"]},"i":{"value":\(index)}}
                        """)
            }
            _ = try await temporary.store.modify(operations)
        }
        // The first to ask has an index made.
        for (filter, sort) in [(Self.worded, ""), (Self.unnamed, ""), ("", #"{"fieldName":"i"}"#)] {
            let text = #"{"recordType":"Note","filterBy":[\#(filter)],"sortBy":[\#(sort)]}"#
            _ = try await temporary.store.query(text, limit: 1)
        }
        await temporary.store.stored.work.finished()
        return temporary
    }

    /// Each filter but the one that leads is asked of the records that the walk comes by: nothing is gathered.
    @Test("Only the leading filter is gathered, the others are evaluated per record")
    func leadingFilter() async throws {
        let temporary = try await filled()
        let both = [Self.tagged, Self.worded].joined(separator: ",")
        let questions: [(String, String)] = [
            ("\(Self.near(5_000_000)),\(both)", Self.sort(ascending: true)), (both, Self.sort(ascending: true)),
            (both, Self.sort(ascending: false)), (both, #"{"fieldName":"i","ascending":false}"#), (both, ""),
            ("\(Self.near(20_000_000)),\(both)", #"{"fieldName":"i"}"#), (Self.near(20_000_000), ""),
            (Self.either, ""), (Self.unnamed, ""), (Self.tagged, ""),
            ("\(Self.either),\(Self.unnamed)", #"{"fieldName":"i"}"#),
        ]
        for (filters, sorts) in questions {
            let text = #"{"recordType":"Note","filterBy":[\#(filters)],"sortBy":[\#(sorts)]}"#
            var marker: String?
            for _ in 0..<2 {
                let (page, distances, steps) = try ask(text, marker: marker, temporary)
                #expect(page.records.count == 20)
                #expect(distances <= Self.count, "\(text)")
                #expect(!steps.contains { $0.hasPrefix("LIST SUBQUERY") }, "\(text): \(steps)")
                marker = page.continuationMarker
            }
        }
    }

    /// Of those nearby the farthest are not looked for on the other side of the earth.
    @Test("The farthest records within a radius are found without searching the far side of the earth")
    func farthest() async throws {
        let temporary = try await filled()
        for distance in [1_500_000, 5_000_000] {
            let text =
                #"{"recordType":"Note","filterBy":\#(Self.near(distance)),"sortBy":\#(Self.sort(ascending: false))}"#
            let (page, distances, _) = try ask(text, marker: nil, temporary)
            let matching = Double(Self.count) * 0.5 * (1 - cos(Double(distance) / Coordinate.earthRadius))
            #expect(!page.records.isEmpty)
            #expect(Double(distances) < 12 * matching + 100, "\(distances) for \(matching) within \(distance) m")
        }
    }

    /// - Returns: a page, how many distances were measured for it, and the steps of its statements.
    private func ask(
        _ text: String, marker: String?, _ temporary: TemporaryStore
    ) throws -> (page: QueryPage, distances: Int, steps: [String]) {
        var request = QueryRequest(
            zone: .notes, zoneWide: false, query: try Query(json(text), limits: Limits()), continuationMarker: marker,
            limit: 20, strict: false, caller: .alice, limits: Limits())
        request.thresholds = .low
        let meter = Meter()
        let engine = SQLiteEngine(
            onStatement: { sql in
                guard sql.hasPrefix("SELECT r.body") else { return }
                meter.statements.withLock { _ = $0.insert(sql) }
            }, onDistance: { meter.distances.withLock { $0 += 1 } })
        let connection = try engine.opener.openForWriting(temporary.path)
        let answer = try connection.use { db in
            let page = try request.run(
                db, catalog: temporary.store.records.catalog, roles: RoleMemory().reader(), secret: Self.secret)
            let distances = meter.distances.withLock { $0 }
            var steps: [String] = []
            for sql in meter.statements.withLock({ $0 }) {
                steps += try db.all("EXPLAIN QUERY PLAN " + sql) { $0.text(3) }
            }
            return (page, distances, steps)
        }
        try connection.close()
        return answer
    }

    private final class Meter: Sendable {
        let distances = Mutex(0)
        let statements = Mutex<Set<String>>([])
    }

    private static let secret = SymmetricKey(size: .bits256)
}
