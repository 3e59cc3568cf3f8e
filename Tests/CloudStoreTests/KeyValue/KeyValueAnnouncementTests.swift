import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// A user's devices hear of changes to their key-value store.
struct KeyValueAnnouncementTests {
    @Test("A key-value write notifies the user's other devices") func otherDevices() async throws {
        let store = try TemporaryStore().store
        try await store.listen(1, client: "phone")
        try await store.listen(2, client: "tablet")
        try await store.listen(3, as: "_bob")
        _ = try await store.set(["a": "1"], client: "phone")
        let told = try #require(try await store.messages(2).first?.object)
        #expect(told["aps"] == .object(JSONObject([.init(key: "content-available", value: .integer(1))])))
        #expect(told["ck"]?.object?["ckuserid"] == .string("_alice"))
        #expect(told["ck"]?.object?["kvs"]?.object?["reason"] == .string("SERVER_CHANGE"))
        for token in [1, 3] as [Int64] { #expect(try await store.notifications.next(token: token) == nil) }
    }

    @Test("Several key-value changes make one message until it is delivered")
    func severalChanges() async throws {
        let store = try TemporaryStore().store
        try await store.listen()
        for number in 0..<3 { _ = try await store.set(["a": "\(number)"]) }
        #expect(try await store.messages().count == 1)
        _ = try await store.set(["b": "1"])
        #expect(try await store.messages().count == 1)
    }

    @Test("A write that changes nothing, or is refused, notifies no device") func noChange() async throws {
        let store = try TemporaryStore().store
        _ = try await store.set(["a": "1"])
        try await store.listen()
        var limits = Limits()
        limits.keyValues.keys = 1
        _ = try await store.set(["a": "1"], remove: ["b"])
        await #expect(throws: ServerError.self) { try await store.set(["b": "1"], limits: limits) }
        #expect(try await store.notifications.next(token: 1) == nil)
    }
}
