import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Deletions cost as many statements as there are batches of records in them, whatever their shape: nobody else writes to
/// the environment meanwhile.
@Suite(.timeLimit(.minutes(5)))
struct CascadeCostTests {
    /// Records that are deleted with each statement.
    private static let batch = 64

    enum Shape: CaseIterable {
        case chain, star, tree

        /// The record that the record of a number hangs on; the first hangs on none.
        func target(of number: Int) -> Int {
            switch self {
            case .chain: number - 1
            case .star: 0
            case .tree: (number - 1) / 3
            }
        }
    }

    private static func hanging(_ name: String, on target: String?, _ action: String = "DELETE_SELF") -> String {
        operation(
            .create, name, fields: target.map { #"{"s":{"value":"text"},"r":\#(reference($0, action))}"# } ?? "{}")
    }

    private func fill(_ store: EnvironmentStore, _ operations: [String]) async throws {
        var rest = operations[...]
        while !rest.isEmpty {
            let result = try await store.modify(Array(rest.prefix(200)))
            #expect(result.errors.allSatisfy { $0 == nil })
            rest = rest.dropFirst(200)
        }
    }

    private func fill(_ store: EnvironmentStore, _ shape: Shape, _ count: Int, prefix: String = "r") async throws {
        let operations = (0..<count).map {
            Self.hanging("\(prefix)\($0)", on: $0 == 0 ? nil : "\(prefix)\(shape.target(of: $0))")
        }
        try await fill(store, operations)
    }

    /// - Returns: the statements that the request waited for, and its outcomes.
    private func cost(
        of operations: [String], _ store: EnvironmentStore, caller: Caller = .alice, atomic: Bool = false
    ) async throws -> (statements: Int, outcomes: [OperationOutcome]) {
        let trace = RequestTrace()
        let client = ReadClient(name: "", trace: trace)
        let result = try await ReadClient.$current.withValue(client) {
            try await store.modify(operations, atomic: atomic, caller: caller)
        }
        return (trace.notes.cost.statements, result.outcomes)
    }

    @Test("A cascade runs a few statements for each batch of records, whatever its shape", arguments: Shape.allCases)
    func batches(shape: Shape) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        try await fill(store, shape, 300)
        try await fill(store, [operation(.create, "alone")])
        let one = try await cost(of: [operation(.forceDelete, "alone")], store)
        let all = try await cost(of: [operation(.forceDelete, "r0")], store)
        #expect(all.outcomes[0].isDeleted)
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        let more = all.statements - one.statements
        #expect(more <= 2 * (300 / Self.batch + 1), "\(one.statements) statements for one, \(all.statements) for all")
    }

    /// As many levels as records: their depth costs nothing either.
    @Test("A chain of 1,000 records is deleted at once, with a tombstone for each")
    func longChain() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        try await fill(store, .chain, 1_000)
        let token = try await store.changes(limit: 5_000).token
        let cost = try await cost(of: [operation(.forceDelete, "r0")], store)
        #expect(cost.statements <= 10 + 1_000 / Self.batch, "\(cost.statements) statements")
        let gone = try await store.changes(since: token, limit: 5_000).names
        #expect(gone == (0..<1_000).map { "-r\($0)" }, "parents before what hangs on them")
        #expect(try await store.users.usage(owner: "_alice") == Usage())
        for table in ["elements", "record_references"] { #expect(try await temporary.count(table) == 0) }
    }

    @Test("200 deletions in one request run few statements", arguments: [true, false])
    func manyDeletions(atomic: Bool) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let names = (0..<200).map { "n\($0)" }
        try await fill(store, names.map { operation(.create, $0, fields: #"{"s":{"value":"x"}}"#) })
        let cost = try await cost(of: names.map { operation(.forceDelete, $0) }, store, atomic: atomic)
        #expect(cost.outcomes.allSatisfy { $0.isDeleted })
        #expect(cost.statements <= 16, "\(cost.statements) statements")
    }

    @Test("A refused cascade runs at most three times the statements of a successful one")
    func refusedCascade() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        try await fill(store, .chain, 700)
        try await fill(store, [Self.hanging("holder", on: "r699", "VALIDATE")])
        let refused = try await cost(of: [operation(.forceDelete, "r0")], store)
        #expect(refused.outcomes[0].error?.code == .validatingReferenceError)
        _ = try await store.modify([operation(.forceDelete, "holder")])
        let deleted = try await cost(of: [operation(.forceDelete, "r0")], store)
        #expect(deleted.outcomes[0].isDeleted)
        #expect(refused.statements <= 3 * deleted.statements, "\(refused.statements) and \(deleted.statements)")
    }

    @Test("A cascade with subscriptions runs less than one statement for each record")
    func watchedCascade() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        try await fill(store, .chain, 640)
        try await store.listen()
        try await store.subscribe("q", querySubscription(on: #""delete""#, more: #""zoneID":{"zoneName":"Notes"}"#))
        let cost = try await cost(of: [operation(.forceDelete, "r0")], store)
        #expect(cost.statements < 640, "\(cost.statements) statements")
        #expect(try await !store.news().isEmpty)
    }

    /// Records that hang on the end of a chain and hold several deleted records by VALIDATE: 7,500 references, 750 holders
    /// and the chain are followed once for all of them.
    @Test(
        "Referrers of a large cascade are looked up once for the request, up to a bound",
        arguments: [
            (deleted: 5, chain: 300, isRefused: false), (deleted: 5, chain: 900, isRefused: true),
            (deleted: 20, chain: 300, isRefused: true),
        ])
    func holders(deleted: Int, chain: Int, isRefused: Bool) async throws {
        let (temporary, gate) = try await TemporaryStore.gated(BuildPace())
        let store = temporary.store
        let names = (0..<deleted).map { "a\($0)" }
        try await fill(store, names.flatMap { [Self.hanging($0, on: nil), Self.hanging("leaf-\($0)", on: $0)] })
        try await fill(store, (1...chain).map { Self.hanging("c\($0)", on: $0 == 1 ? "a0" : "c\($0 - 1)") })
        let held = names.map { #"{"recordName":"\#($0)","action":"VALIDATE"}"# }.joined(separator: ",")
        let fields =
            #"{"r":\#(reference("c\(chain)", "DELETE_SELF")),"h":{"value":[\#(held)],"type":"REFERENCE_LIST"}}"#
        try await fill(store, (0..<750).map { operation(.create, "h\($0)", fields: fields) })
        gate.pass()
        let cost = try await cost(of: names.map { operation(.forceDelete, $0) }, store, atomic: true)
        #expect(cost.statements <= 2 * HolderBudget.request.levels + 100, "\(cost.statements) statements")
        let limited = cost.outcomes.compactMap(\.error).filter { $0.code == .validatingReferenceError }
        #expect(limited.isEmpty == !isRefused)
        #expect(limited.allSatisfy { $0.reason.contains("10000") || $0.reason.contains("10,000") })
        #expect(cost.outcomes.allSatisfy(\.isDeleted) == !isRefused)
        gate.openForGood()
        await store.stored.work.finished()
        #expect(try await (store.users.usage(owner: "_alice") == Usage()) == !isRefused)
        try await store.close()
    }

    @Test("A member's cascade looks up roots once for each batch of records")
    func sharedCascade() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        try await fill(store, [operation(.create, "root")])
        let guid = try await store.share("root", with: ["_bob"])
        try await store.accept(guid, as: "_bob")
        let operations = (0..<640).map { number in
            operation(
                .create, "r\(number)",
                fields: number == 0 ? "{}" : #"{"r":\#(reference("r\(number - 1)", "DELETE_SELF"))}"#,
                more: parent("root"))
        }
        try await fill(store, operations)
        let token = try await store.news("_bob").token
        let cost = try await cost(of: [operation(.forceDelete, "r0")], store, caller: .bob)
        #expect(cost.outcomes[0].isDeleted)
        #expect(cost.statements <= 30 + 3 * 640 / Self.batch, "\(cost.statements) statements")
        #expect(try await store.news("_bob", since: token).names.count == 640)
    }
}
