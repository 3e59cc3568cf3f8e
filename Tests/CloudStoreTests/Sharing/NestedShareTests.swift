import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A share whose root was moved under another share's tree.
struct NestedShareTests {
    /// Records under the outer share stay visible through it when an inner share of theirs ends.
    @Test("When an inner share ends, its records belong to the outer one")
    func innerShare() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([
            operation(.create, "a"), operation(.create, "b"), operation(.create, "b1", more: parent("b")),
        ])
        try await store.accept(try await store.share("a", with: ["_bob"]), as: "_bob")
        try await store.accept(try await store.share("b", with: ["_eve"]), as: "_eve")
        _ = try await store.modify([operation(.forceUpdate, "b", more: parent("a"))])
        #expect(try await !store.sees("_bob", "b1"))
        let before = try await store.news("_bob")
        _ = try await store.modify([operation(.forceDelete, "share-b", type: nil)])
        #expect(try await store.sees("_bob", "b1"))
        #expect(try await store.zones.list(sharedWith: "_eve").isEmpty)
        #expect(Set(try await store.news("_bob", since: before.token).names) == ["b", "b1"])
    }
}
