import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Quotas of one user's store, with removed keys.
struct KeyValueQuotaTests {
    private static func limits(keys: Int = 1024, bytes: Int = 1 << 20) -> Limits {
        var limits = Limits()
        limits.keyValues.keys = keys
        limits.keyValues.storeBytes = bytes
        return limits
    }

    @Test(
        "A refused key-value write names the limit and stores nothing",
        arguments: [
            (["a": "12345"], [], nil), (["a": "123456"], [], "11 bytes of values, at most 10"),
            (["b": "1", "c": "1"], [], nil), (["b": "1", "c": "1", "d": "1"], [], "4 keys, at most 3"),
            (["a": "", "b": "12345"], [], nil), (["a": "12345", "c": "12345"], ["b"], nil),
            (["a": "1", "c": "1", "d": ""], ["b"], nil), (["b": "1"], ["z"], nil),
        ] as [([String: String], [String], String?)])
    func refusedWrite(values: [String: String], removed: [String], refusal: String?) async throws {
        let store = try TemporaryStore().store
        _ = try await store.set(["a": "1", "b": "12345"])
        let before = try await store.keyValues.all(user: "_alice")
        let write = { try await store.set(values, remove: removed, limits: Self.limits(keys: 3, bytes: 10)) }
        guard let refusal else {
            _ = try await write()
            return
        }
        let error = await #expect(throws: ServerError.self) { try await write() }
        #expect(error?.code == .quotaExceeded)
        #expect(error?.reason.contains(refusal) == true, "\(error?.reason ?? "")")
        #expect(try await store.keyValues.all(user: "_alice") == before)
    }

    @Test("A store holds 1 MB of values and 1,024 keys at most") func capacity() async throws {
        let store = try TemporaryStore().store
        _ = try await store.set(["a": String(repeating: "x", count: 1 << 20)])
        await #expect(throws: ServerError.self) { try await store.set(["b": "x"]) }
        _ = try await store.set(remove: ["a"])
        let keys = (0..<1024).map { "key-\($0)" }
        _ = try await store.set(Dictionary(uniqueKeysWithValues: keys.map { ($0, "x") }))
        await #expect(throws: ServerError.self) { try await store.set(["another": "x"]) }
        _ = try await store.set(["another": "x"], remove: ["key-0"])
        #expect(try await store.texts().count == 1024)
    }

    @Test("A store over a lowered limit may still remove values") func loweredLimit() async throws {
        let store = try TemporaryStore().store
        let token = try await store.set(["a": "12345", "b": "12345", "c": "12345"]).changeToken
        let limits = Self.limits(keys: 2, bytes: 8)
        #expect(try await store.keyValues.changes(since: token, limits: limits).reason == .quotaViolation)
        _ = try await store.set(["a": "1"], remove: ["b"], limits: limits)
        await #expect(throws: ServerError.self) { try await store.set(["c": "12345678"], limits: limits) }
        #expect(try await store.keyValues.changes(since: token, limits: limits).reason == .serverChange)
    }

    @Test("Removed keys are remembered up to the key limit, and older tokens start over")
    func rememberedRemovals() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        let limits = Self.limits(keys: 3)
        let old = try await store.set(["stays": "1", "a": "1"], limits: limits).changeToken
        _ = try await store.set(remove: ["a"], limits: limits)
        let later = try await store.keyValues.all(user: "_alice").changeToken
        for key in ["b", "c", "d"] {
            _ = try await store.set([key: "1"], limits: limits)
            _ = try await store.set(remove: [key], limits: limits)
        }
        #expect(try await store.keyValues.changes(since: old).reason == .initialSync)
        #expect(try await store.keyValues.changes(since: old).changes.texts == ["stays": "1"])
        #expect(try await store.keyValues.changes(since: later).changes.texts == ["b": nil, "c": nil, "d": nil])
        let write = try await store.set(["new": "1"], since: old, limits: limits)
        #expect(write.moreComing && write.changeToken == old)
        #expect(try temporary.read { try $0.first("SELECT COUNT(*) FROM key_values") { $0.integer(0) } } == 5)
    }

    @Test("Stored values count towards the user's usage") func usage() async throws {
        let store = try TemporaryStore().store
        _ = try await store.set(["a": "12345", "b": "123"])
        _ = try await store.set(["a": "1"])
        #expect(try await store.users.usage(owner: "_alice") == Usage(bytes: 4, records: 0))
        _ = try await store.set(remove: ["a", "b"])
        #expect(try await store.users.usage(owner: "_alice") == Usage())
    }
}
