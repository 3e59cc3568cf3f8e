import CloudModel
import TestStore
import Testing

/// Batches of members, and the reasons of their refusals.
struct MemberBatchTests {
    private func tree(access: String = "READ_WRITE") async throws -> TemporaryStore {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([
            operation(.create, "a"), operation(.create, "b", more: parent("a")), operation(.create, "secret"),
        ])
        try await store.accept(try await store.share("a", with: ["_bob"], access: access), as: "_bob")
        return temporary
    }

    @Test(
        "A member may create a branch of records in any order",
        arguments: [["x", "y", "z"], ["z", "y", "x"], ["y", "z", "x"]])
    func anyOrder(order: [String]) async throws {
        let store = try await tree().store
        let above = ["x": "b", "y": "x", "z": "y"]
        let result = try await store.modify(
            order.map { operation(.create, $0, more: parent(above[$0])) }, atomic: true, caller: .bob)
        #expect(result.errors.allSatisfy { $0 == nil }, "\(result.errors)")
        #expect(try await store.sees("_bob", "z"))
    }

    @Test("A member's branch without a visible parent is refused") func unattachedBranch() async throws {
        let store = try await tree().store
        let result = try await store.modify(
            [operation(.create, "y", more: parent("x")), operation(.create, "x", more: parent("secret"))],
            caller: .bob)
        #expect(result.errors.map { $0?.code } == [.validatingReferenceError, .validatingReferenceError])
        #expect(try await !store.exists("x"))
    }

    /// Whoever may not write learns nothing from trying.
    @Test("A read-only member cannot find out whether a name is taken") func takenNames() async throws {
        let store = try await tree(access: "READ_ONLY").store
        let result = try await store.modify(
            [
                operation(.create, "secret", more: parent("b")), operation(.create, "nothing", more: parent("b")),
                operation(.forceUpdate, "secret"), operation(.forceUpdate, "nothing"),
            ], caller: .bob)
        #expect(Set(result.errors.map { $0?.reason }) == ["CREATE operation not permitted"])
    }
}
