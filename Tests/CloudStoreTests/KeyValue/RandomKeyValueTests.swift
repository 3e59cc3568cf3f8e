import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore

/// Random writes of several devices, beside a dictionary that does the same.
struct RandomKeyValueTests {
    private struct Follower {
        var known: [String: String] = [:]
        var token: String?

        mutating func follow(_ store: EnvironmentStore, limit: Int, limits: Limits) async throws {
            while true {
                let page = try await store.keyValues.changes(since: token, limit: limit, limits: limits)
                if page.reason == .initialSync { known = [:] }
                for change in page.changes { known[change.key] = change.text }
                token = page.changeToken
                if !page.moreComing { return }
            }
        }
    }

    /// With many keys most removals are forgotten before everybody has heard of them.
    @Test(
        "Devices that follow random changes have the store's values", arguments: 1...4 as ClosedRange<UInt64>,
        [10, 40])
    func followingDevices(seed: UInt64, keyCount: Int) async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        var generator = SeededGenerator(seed: seed)
        var limits = Limits()
        limits.keyValues.keys = 6
        limits.keyValues.storeBytes = 60
        var model: [String: String] = [:]
        var followers = Array(repeating: Follower(), count: 4)
        for _ in 0..<150 {
            let follower = Int.random(in: 0..<followers.count, using: &generator)
            let keys = Set((0..<3).map { _ in "k\(Int.random(in: 0..<keyCount, using: &generator))" })
            let removed = keys.filter { _ in Bool.random(using: &generator) }
            let count = Int.random(in: 0..<30, using: &generator)
            let text = String(repeating: "x", count: count)
            var next = model
            for key in keys { next[key] = removed.contains(key) ? nil : text }
            let fits = next.count <= 6 && next.values.reduce(0) { $0 + $1.utf8.count } <= 60
            do {
                let result = try await store.set(
                    Dictionary(uniqueKeysWithValues: keys.subtracting(removed).map { ($0, text) }),
                    remove: removed.sorted(), since: followers[follower].token, client: "c\(follower)", limits: limits)
                if !result.moreComing {
                    followers[follower].token = result.changeToken
                    followers[follower].known = next
                }
                model = next
                #expect(fits)
            } catch let error as ServerError {
                #expect(error.code == .quotaExceeded && !fits)
            }
            let reader = Int.random(in: 0..<followers.count, using: &generator)
            let limit = Int.random(in: 1...4, using: &generator)
            try await followers[reader].follow(store, limit: limit, limits: limits)
            #expect(followers[reader].known == model)
            #expect(try await store.texts() == model)
        }
        try await Self.recount(temporary, model)
    }

    /// The usage counted with each write equals that of a recount.
    private static func recount(_ temporary: TemporaryStore, _ model: [String: String]) async throws {
        let (counted, found) = try temporary.read { db in
            (
                try db.first("SELECT bytes, keys, removed FROM key_value_stores") { row in
                    (0..<3).map { row.integer($0) }
                },
                try db.first("SELECT CAST(SUM(bytes) AS BIGINT), COUNT(body), COUNT(*) - COUNT(body) FROM key_values") {
                    row in
                    (0..<3).map { row.integer($0) }
                }
            )
        }
        #expect(counted == found)
        #expect(counted?.first == Int64(model.values.reduce(0) { $0 + $1.utf8.count }))
        #expect(try await temporary.store.users.usage(owner: "_alice").bytes == counted?.first)
    }
}
