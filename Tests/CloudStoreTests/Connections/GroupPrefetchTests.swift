import CloudModel
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// The records that the requests of a group are about are read together.
@Suite(.timeLimit(.minutes(5)))
struct GroupPrefetchTests {
    @Test(
        "Waiting requests read their records by one statement",
        .enabled(if: !ChosenEngine.isPostgres, "about SQLite only"))
    func oneStatement() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let writer = try TracedWriter(temporary.path)
        _ = try await writer.statements(of: [operation(.create, "warm")], zone: .notes)
        let requests = (0..<20).map { [operation(.create, "r\($0)")] }
        let statements = try await writer.statements(ofGroup: requests, zone: .notes)
        #expect(statements.count { $0 == "WITH wanted" } == 1)
        #expect(statements.count { $0 == "SELECT r.id," } == 0)
        try writer.close()
        withExtendedLifetime(temporary) {}
    }

    @Test("A group of requests about one record is answered as if run one by one")
    func oneRecord() async throws {
        let requests: [[String]] = [
            [operation(.create, "a", fields: #"{"n":{"value":1}}"#)],
            [operation(.create, "a")],
            [operation(.forceUpdate, "a", fields: #"{"m":{"value":2}}"#)],
            [operation(.update, "a", tag: "1")],
            [operation(.create, "b"), operation(.forceDelete, "a")],
            [operation(.forceUpdate, "a", fields: #"{"k":{"value":3}}"#)],
            [operation(.delete, "a", tag: "zz")],
            [operation(.forceDelete, "a")],
            [operation(.forceDelete, "b")],
            [operation(.create, "a", fields: #"{"n":{"value":4}}"#)],
            [operation(.create, "b"), operation(.update, "none", tag: "1")],
            [operation(.create, "b")],
        ]
        let (together, apart) = (try TemporaryStore(), try TemporaryStore())
        for temporary in [together, apart] { try await temporary.store.makeZone() }
        let outcomes = Mutex<[Int: [ServerError.Code?]]>([:])
        try await together.store.stored.writes.holding {
            requests.indices.map { index in
                {
                    let result = try await together.store.modify(requests[index], atomic: true)
                    outcomes.withLock { $0[index] = result.errors.map { $0?.code } }
                }
            }
        }
        for (index, request) in requests.enumerated() {
            let expected = try await apart.store.modify(request, atomic: true).errors.map { $0?.code }
            #expect(outcomes.withLock { $0[index] } == expected, "request \(index)")
        }
        for name in ["a", "b"] {
            let (one, other) = (try await together.store.record(name), try await apart.store.record(name))
            #expect(one["fields"] == other["fields"])
        }
        #expect(try await together.store.changes().names == (try await apart.store.changes().names))
    }
}
