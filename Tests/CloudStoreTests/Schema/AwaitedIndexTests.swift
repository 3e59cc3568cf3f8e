import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Many queries at once by a field whose index is not there yet.
@Suite(.timeLimit(.minutes(5)))
struct AwaitedIndexTests {
    private static let queries = 32
    private static let byA = #"{"recordType":"Note","filterBy":[\#(filter("a", #""x7""#))]}"#

    private struct Answer: Equatable {
        let names: [String]
        /// Whether every record was looked at.
        let isScanned: Bool
    }

    private static let (led, scanned) = (
        Answer(names: ["r7"], isScanned: false), Answer(names: ["r7"], isScanned: true)
    )

    /// A type of ten records, whose builds wait at the gate.
    private func filled(patience: Duration = .seconds(600)) async throws -> (
        temporary: TemporaryStore, gate: Gate, type: Int64
    ) {
        var pace = BuildPace.slow
        pace.patience = patience
        let (temporary, gate) = try await TemporaryStore.gated(pace)
        let records = (0..<10).map { operation(.create, "r\($0)", fields: #"{"a":{"value":"x\#($0)"}}"#) }
        #expect(try await temporary.store.modify(records).error() == nil)
        return (temporary, gate, try #require(temporary.store.records.catalog.types["Note"]?.id))
    }

    private func ask(_ store: EnvironmentStore) async throws -> Answer {
        var request = QueryRequest(
            zone: .notes, zoneWide: false, query: try Query(json(Self.byA), limits: Limits()), continuationMarker: nil,
            limit: 10, strict: false, caller: .alice, limits: Limits())
        // Ten records are many.
        request.thresholds.fewMatches = 2
        let trace = RequestTrace()
        request.trace = trace
        let names = try await store.queries.query(request).records.map(changeName)
        let leads = trace.notes.steps.compactMap { step -> Bool? in
            if case .index(_, let lead, _) = step { lead == nil } else { nil }
        }
        #expect(leads.count == 1, "\(trace.notes.steps)")
        return Answer(names: names, isScanned: leads == [true])
    }

    /// Keeps the turn to scan from all others until `body` is done.
    private func holdingTurn<T: Sendable>(
        _ store: EnvironmentStore, _ type: Int64, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T? {
        try await store.stored.scans.run(
            type: type, for: "holder", until: .now + .seconds(600), since: store.stored.scans.dismissed, body)
    }

    private func arrived(_ count: Int, _ store: EnvironmentStore, _ type: Int64) async {
        while store.stored.scans.queries(of: type) < count { await Task.yield() }
    }

    @Test("Queries that lack an index wait for one build without holding a connection") func oneBuild() async throws {
        let (temporary, gate, type) = try await filled()
        let store = temporary.store
        _ = try await holdingTurn(store, type) { [self] in
            // This one asks for the index.
            let first = Task { try await ask(store) }
            await gate.arrived()
            await arrived(2, store, type)
            let queries = [first] + (1..<Self.queries).map { _ in Task { try await ask(store) } }
            await arrived(Self.queries + 1, store, type)
            #expect(store.stored.reads.waiting == 0)
            let progress = try await store.schema.buildProgress()
            #expect(progress.map(\.fields) == [["a"]])
            gate.openForGood()
            for query in queries {
                let answer = try await query.value
                #expect(answer == Self.led)
            }
        }
        await store.stored.work.finished()
        #expect(store.records.catalog.types["Note"]?.generation == 1)
        #expect(store.stored.scans.queries(of: type) == 0)
        try await store.close()
    }

    @Test("Queries scan the records while the build is stuck") func buildThatStands() async throws {
        let (temporary, gate, type) = try await filled()
        let store = temporary.store
        let queries = try await holdingTurn(store, type) { [self] in
            let queries = (0..<Self.queries).map { _ in Task { try await ask(store) } }
            await gate.arrived()
            await arrived(Self.queries + 1, store, type)
            return queries
        }
        for query in try #require(queries) {
            let answer = try await query.value
            #expect(answer == Self.scanned)
        }
        // One that comes alone does not wait at all.
        #expect(try await ask(store) == Self.scanned)
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await ask(store) == Self.led)
        try await store.close()
    }

    @Test("A query that waited too long is refused with the build's progress") func patienceEnds() async throws {
        let (temporary, gate, type) = try await filled(patience: .milliseconds(1))
        let store = temporary.store
        let refusal = try await holdingTurn(store, type) { [self] in
            await #expect(throws: ServerError.self) { try await ask(store) }
        }
        #expect(refusal??.code == .tryAgainLater && refusal??.retryAfter == 5)
        #expect(refusal??.reason == "Field 'a' is being built: its index is 0 % complete")
        #expect(store.stored.scans.queries(of: type) == 0)
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await ask(store) == Self.led)
        try await store.close()
    }

    @Test("The build that queries wait for takes precedence over those of other types")
    func awaitedBuildFirst() async throws {
        let (temporary, gate, type) = try await filled()
        let store = temporary.store
        let others = (0..<10).map { operation(.create, "o\($0)", type: "Other", fields: #"{"a":{"value":"y"}}"#) }
        #expect(try await store.modify(others).error() == nil)
        let other = try #require(store.records.catalog.types["Other"]?.id)
        for name in ["Note", "Other"] {
            _ = try await store.query(#"{"recordType":"\#(name)","filterBy":[\#(filter("a", #""x7""#))]}"#)
        }
        await gate.arrived()
        #expect(other > type)
        _ = try await holdingTurn(store, other) {
            await gate.letOneThrough()
            let progress = try await store.schema.buildProgress()
            #expect(progress.map { [$0.type: $0.state] } == [["Note": .waiting], ["Other": .building]])
        }
        gate.openForGood()
        await store.stored.work.finished()
        try await store.close()
    }
}
