import CloudModel
import CloudCrypto
import TestStore
import Testing

@testable import CloudStore

/// The change feed of a zone (reference A §8.1–§8.3).
struct ZoneChangesTests {
    @Test("Each record appears once, in its latest state, oldest change first") func order() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        for name in ["a", "b", "c"] { _ = try await store.modify([operation(.create, name)]) }
        _ = try await store.modify([operation(.forceUpdate, "a", fields: #"{"f":{"value":2}}"#)])
        let page = try await store.changes()
        #expect(page.names == ["b", "c", "a"])
        #expect(!page.more)
        let idle = try await store.changes(since: page.token)
        #expect(idle.names == [] && !idle.more)
    }

    @Test("A feed read from the beginning has no deletions") func firstRead() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "a"), operation(.create, "b")])
        _ = try await store.modify([operation(.forceDelete, "a")])
        let first = try await store.changes()
        #expect(first.names == ["b"])
        #expect(try await store.changes(since: first.token).names == [])
    }

    /// A reader that pages while others write ends with exactly what is there.
    @Test("A feed read in pages beside writes misses nothing", arguments: [1, 2, 3, 4])
    func pagesUnderWrites(seed: UInt64) async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var generator = SeededGenerator(seed: seed)
        var mirror: Set<String> = []
        var token: String?
        for round in 0..<60 {
            if round < 45 {
                let name = "r\(Int.random(in: 0..<15, using: &generator))"
                let type: OperationType = Int.random(in: 0..<4, using: &generator) == 0 ? .forceDelete : .forceUpdate
                _ = try await store.modify([operation(type, name)])
            }
            let page = try await store.changes(since: token, limit: Int.random(in: 1...3, using: &generator))
            for name in page.names {
                if name.hasPrefix("-") { mirror.remove(String(name.dropFirst())) } else { mirror.insert(name) }
            }
            token = page.token
        }
        #expect(mirror == Set(try await store.changes().names))
    }

    @Test("A reverse feed goes from the newest record back, and its token continues from where it began")
    func reverse() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        for name in ["a", "b", "c", "d", "e"] { _ = try await store.modify([operation(.create, name)]) }
        let first = try await store.changes(limit: 2, reverse: true)
        #expect(first.names == ["e", "d"] && first.more)
        _ = try await store.modify([operation(.forceUpdate, "a"), operation(.create, "f")])
        let second = try await store.changes(since: first.token, limit: 2, reverse: true)
        #expect(second.names == ["c", "b"])
        let third = try await store.changes(since: second.token, limit: 2, reverse: true)
        #expect(!third.more)
        let rest = try await store.changes(since: third.token, reverse: true)
        #expect(third.names + rest.names == ["f", "a"])
        #expect(try await store.changes(since: rest.token, reverse: true).names == [])
    }

    @Test("A page without records of the desired types is empty, and the feed continues")
    func otherTypes() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        for block in 0..<26 {
            let names = (0..<200).map { "n\(block * 200 + $0)" }
            _ = try await store.modify(names.map { operation(.create, $0) })
        }
        _ = try await store.modify([operation(.create, "w", type: "Wanted"), operation(.forceDelete, "n0")])
        let first = try await store.changes(types: ["Wanted"])
        #expect(first.names == [] && first.more)
        let second = try await store.changes(since: first.token, types: ["Wanted"])
        #expect(second.names == ["w", "-n0"] && !second.more)
        #expect(try await store.changes(since: first.token, types: ["Unknown"]).names == ["-n0"])
        let count = try await store.changes(since: first.token, types: ["Note"]).names.count
        #expect(count == 26 * 200 - 5000)
    }

    /// Types are known by the snapshot that is read, not by a schema that may be older.
    @Test("A feed filtered by a just created type has its records") func newType() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "w", type: "Wanted")])
        let request = ZoneChangesRequest(
            zone: .notes, caller: .alice, syncToken: nil, limit: 10, recordTypes: ["Wanted"], reverse: false)
        let tokens = SyncTokens(incarnation: 1, secret: .init(size: .bits256))
        let page = try temporary.read { try request.run($0, tokens: tokens) }
        #expect(try page.records.map(changeName) == ["w"])
    }
}
