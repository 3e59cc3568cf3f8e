import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// Rules of references for writes and deletions (reference A §13.2).
struct ReferenceTests {
    private func filled(_ operations: [String]) async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        let result = try await temporary.store.modify(operations)
        #expect(result.errors.allSatisfy { $0 == nil })
        return temporary
    }

    private func holder(_ name: String, _ targets: String..., action: String) -> String {
        let values = targets.map { #"{"recordName":"\#($0)","action":"\#(action)"}"# }.joined(separator: ",")
        return operation(.create, name, fields: #"{"r":{"value":[\#(values)],"type":"REFERENCE_LIST"}}"#)
    }

    @Test("A reference may come before its target in a batch", arguments: [true, false])
    func laterTarget(atomic: Bool) async throws {
        let temporary = try await filled([])
        let result = try await temporary.store.modify(
            [holder("b", "a", action: "VALIDATE"), operation(.create, "a")], atomic: atomic)
        #expect(result.errors == [nil, nil])
    }

    @Test("A broken reference fails its operation and the operations that depend on its record")
    func brokenReference() async throws {
        let temporary = try await filled([])
        let result = try await temporary.store.modify([
            holder("c", "b", action: "VALIDATE"), holder("b", "a", action: "VALIDATE"), operation(.create, "d"),
        ])
        #expect(result.errors.map { $0?.code } == [.validatingReferenceError, .validatingReferenceError, nil])
        #expect(try await temporary.store.changes().names == ["d"])
    }

    @Test("A broken reference fails an atomic batch") func atomicBatch() async throws {
        let temporary = try await filled([])
        let result = try await temporary.store.modify(
            [operation(.create, "d"), holder("b", "a", action: "VALIDATE")], atomic: true)
        #expect(result.isAtomicFailure)
        #expect(result.errors.map { $0?.code } == [.atomicError, .validatingReferenceError])
        #expect(try await temporary.store.changes().names == [])
    }

    @Test("A record that a VALIDATE reference names cannot be deleted", arguments: [true, false])
    func heldTarget(atomic: Bool) async throws {
        let temporary = try await filled([
            operation(.create, "a"), holder("b", "a", action: "VALIDATE"),
            operation(.create, "c", more: #""parent":{"recordName":"a"}"#),
        ])
        let store = temporary.store
        let refused = try await store.modify([operation(.forceDelete, "a")], atomic: atomic)
        #expect(refused.error()?.code == .validatingReferenceError)
        #expect(try await store.exists("a"))
        let stillHeld = try await store.modify(
            [operation(.forceDelete, "a"), operation(.forceDelete, "b")], atomic: atomic)
        #expect(stillHeld.error(0)?.code == .validatingReferenceError)
        let all = try await store.modify(["a", "c", "b"].map { operation(.forceDelete, $0) }, atomic: atomic)
        #expect(all.outcomes.allSatisfy { $0.isDeleted })
    }

    @Test("A removed reference no longer protects its target") func releasedTarget() async throws {
        let temporary = try await filled([operation(.create, "a"), holder("b", "a", action: "VALIDATE")])
        _ = try await temporary.store.modify([operation(.forceUpdate, "b", fields: #"{"r":null}"#)])
        #expect(try await temporary.store.modify([operation(.forceDelete, "a")]).error() == nil)
    }

    @Test(
        "A parent must exist",
        arguments: [
            (#""parent":{"recordName":"nobody"}"#, ServerError.Code.validatingReferenceError),
            (#""parent":{"recordName":"x"}"#, .badRequest),
            (#""parent":"a""#, .badRequest),
            (#""parent":{"recordName":"_a"}"#, .badRequest),
        ])
    func missingParent(parent: String, code: ServerError.Code) async throws {
        let temporary = try await filled([])
        #expect(try await temporary.store.modify([operation(.create, "x", more: parent)]).error()?.code == code)
        #expect(try await !temporary.store.exists("x"))
    }

    @Test("A deletion cascades, with a tombstone for each record")
    func cascade() async throws {
        let temporary = try await filled([
            operation(.create, "a"), holder("b", "a", action: "DELETE_SELF"), holder("c", "b", action: "DELETE_SELF"),
            operation(.create, "free"),
        ])
        let token = try await temporary.store.changes().token
        _ = try await temporary.store.modify([operation(.forceDelete, "a")])
        #expect(Set(try await temporary.store.changes(since: token).names) == ["-a", "-b", "-c"])
    }

    /// Cycles, diamonds and holders of two doomed records: each goes once, and is counted once.
    @Test(
        "A record that depends on two deleted records is deleted once",
        arguments: [
            [("a", ["b"]), ("b", ["a"])],
            [("a", ["a"])],
            [("a", []), ("c", ["a", "b"]), ("b", ["a"])],
            [("a", []), ("b", ["a"]), ("c", ["a"]), ("d", ["b", "c"]), ("e", ["d", "a"])],
        ] as [[(String, [String])]])
    func sharedDependent(links: [(String, [String])]) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let operations = links.map { name, targets in
            let values = targets.map { #"{"recordName":"\#($0)","action":"DELETE_SELF"}"# }.joined(separator: ",")
            return operation(.create, name, fields: #"{"r":{"value":[\#(values)],"type":"REFERENCE_LIST"}}"#)
        }
        _ = try await store.modify(operations)
        let token = try await store.changes().token
        _ = try await store.modify([operation(.forceDelete, "a")])
        #expect(try await store.changes(since: token).names.sorted() == links.map { "-" + $0.0 }.sorted())
        #expect(try await store.users.usage(owner: "_alice") == Usage())
    }

    @Test("A deletion with too many dependents is refused") func limit() async throws {
        let temporary = try await filled([operation(.create, "a")])
        var limits = Limits()
        limits.deleteSelfReferences = 3
        let three = (1...3).map { holder("h\($0)", "a", action: "DELETE_SELF") }
        #expect(try await temporary.store.modify(three, limits: limits).errors == [nil, nil, nil])
        let fourth = try await temporary.store.modify([holder("h4", "a", action: "DELETE_SELF")], limits: limits)
        #expect(fourth.error()?.code == .badRequest)
        #expect(fourth.error()?.reason.contains("at most 3") == true)
        let again = try await temporary.store.modify([operation(.forceUpdate, "h1")], limits: limits)
        #expect(again.error() == nil)
    }

    /// Names that look alike but are different text are different records.
    @Test("Targets of references are told apart by their bytes") func targetBytes() async throws {
        let temporary = try await filled([operation(.create, "\u{E9}")])
        let result = try await temporary.store.modify([holder("b", "\u{E9}", "e\u{301}", action: "VALIDATE")])
        #expect(result.error()?.code == .validatingReferenceError)
    }
}
