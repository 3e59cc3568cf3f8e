import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Quotas of an owner and of an environment as a whole.
@Suite(.timeLimit(.minutes(10)))
struct QuotaTests {
    private func limits(_ change: (inout Quotas) -> Void) -> Limits {
        var limits = Limits()
        change(&limits.quotas)
        return limits
    }

    private func text(_ bytes: Int) -> String {
        #"{"t":{"value":"\#(String(repeating: "x", count: bytes))"}}"#
    }

    private func refusal(_ body: () async throws -> Void) async -> ServerError? {
        do {
            try await body()
            return nil
        } catch { return error as? ServerError }
    }

    @Test("A request past a user's record quota is refused whole, and deletions and changes are not")
    func userRecords() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let limits = limits { $0.user.records = 3 }
        _ = try await store.modify(["a", "b"].map { operation(.create, $0) }, limits: limits)
        let refused = await refusal {
            _ = try await store.modify(["c", "d"].map { operation(.create, $0) }, limits: limits)
        }
        #expect(refused?.code == .quotaExceeded)
        let reason = "the database's owner would have 4 records, at most 3 are allowed (quota.user.records)"
        #expect(refused?.reason == reason)
        #expect(try await store.users.usage(owner: "_alice").records == 2)
        #expect(try await !store.exists("c"))
        _ = try await store.modify(
            [operation(.create, "c"), operation(.forceUpdate, "a", fields: text(9))], limits: limits)
        // More than a quota that was set later: what makes it no more is let through.
        let less = self.limits { $0.user.records = 1 }
        _ = try await store.modify([operation(.forceUpdate, "a", fields: text(99))], limits: less)
        _ = try await store.modify([operation(.forceDelete, "a"), operation(.create, "e")], limits: less)
        _ = try await store.modify([operation(.forceDelete, "b")], limits: less)
        #expect(await refusal { _ = try await store.modify([operation(.create, "f")], limits: less) } != nil)
    }

    @Test("A user's byte quota counts records and key-value pairs together")
    func userBytes() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "a", fields: text(1000))])
        let bytes = Int(try await store.users.usage(owner: "_alice").bytes)
        let limits = limits { $0.user.bytes = bytes + 10 }
        let larger = await refusal {
            _ = try await store.modify([operation(.forceUpdate, "a", fields: text(1020))], limits: limits)
        }
        #expect(larger?.reason.contains("at most \(bytes + 10) are allowed (quota.user.bytes)") == true)
        _ = try await store.set(["k": "12345"], limits: limits)
        #expect(await refusal { _ = try await store.set(["l": "123456"], limits: limits) }?.code == .quotaExceeded)
        _ = try await store.modify([operation(.forceUpdate, "a", fields: text(900))], limits: limits)
        _ = try await store.set(["l": "123456"], limits: limits)
    }

    @Test("A container's quota counts all users and the public database, and a user's quota does not")
    func containers() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let user = limits { $0.user.records = 1 }
        _ = try await store.modify(["a", "b"].map { operation(.create, $0) }, zone: .world, limits: user)
        let all = limits { $0.container.records = 3 }
        _ = try await store.modify([operation(.create, "a")], limits: all)
        let refused = await refusal {
            _ = try await store.modify([operation(.create, "c")], zone: .world, limits: all)
        }
        #expect(refused?.reason.contains("container would have 4 records, at most 3") == true)
        // Operators are bound by none.
        _ = try await store.modify([operation(.create, "c")], zone: .world, caller: .operator, limits: all)
        #expect(try await store.users.usage(owner: nil).records == 4)
    }

    @Test("Concurrent requests stop exactly at the quota")
    func requestsAtOnce() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let limits = limits { $0.user.records = 25 }
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    do {
                        _ = try await store.modify([operation(.create, "r\(number)")], limits: limits)
                        return false
                    } catch let error as ServerError where error.code == .quotaExceeded { return true }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(refused == 75)
        #expect(try await store.users.usage(owner: "_alice").records == 25)
    }

    @Test("Assets count for each record that has them, and a full quota refuses uploads before their bytes")
    func assets() async throws {
        let bounded = limits { $0.user.assetBytes = 10 }
        let store = try TemporaryStore(limits: bounded).store
        try await store.makeZone()
        let (six, three, seven) = (
            try await store.assets.upload("sixsix"), try await store.assets.upload("abc"),
            try await store.assets.upload("seven..")
        )
        let save = { (name: String, asset: Asset) in
            try await store.modify([operation(.forceReplace, name, fields: assetField(asset))], limits: bounded)
        }
        _ = try await save("a", six)
        let again = await refusal { _ = try await save("b", six) }
        #expect(
            again?.reason.contains("12 bytes of assets, at most 10 are allowed (quota.user.assetBytes)") == true)
        _ = try await save("b", three)
        #expect(try await store.users.usage(owner: "_alice").assets == 9)
        #expect(await refusal { _ = try await save("b", seven) } != nil)
        _ = try await save("a", three)
        _ = try await store.modify([operation(.forceDelete, "b")], limits: bounded)
        _ = try await save("b", seven)
        #expect(try await store.users.usage(owner: nil).assets == 10)
        let upload = await refusal { _ = try await store.assets.upload("more") }
        #expect(upload?.reason.contains("has 10 bytes of assets, at most 10 are allowed") == true)
        try await store.assets.checkRoom(of: "_bob", owner: "_bob", from: nil)
        _ = try await store.modify([operation(.forceDelete, "b"), operation(.forceDelete, "a")], limits: bounded)
        #expect(try await store.users.usage(owner: nil).assets == 0)
        _ = try await store.assets.upload("more")
    }

    @Test("Deleting a zone subtracts its assets")
    func zonesWithAssets() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let asset = try await store.assets.upload("sixsix")
        _ = try await store.modify(["a", "b"].map { operation(.create, $0, fields: assetField(asset)) })
        #expect(try await store.users.usage(owner: "_alice").assets == 12)
        _ = try await store.zones.modify([.delete(.notes)], by: Requester(user: "_alice"), limits: Limits())
        #expect(try await store.users.usage(owner: nil) == Usage())
    }
}
