import CloudModel
import Dispatch
import Synchronization
import TestStore
import Testing

@testable import CloudStore

/// Many requests at once: each has its own answer, and its own place in the order of changes.
struct GroupCommitTests {
    @Test("Every acknowledged write has a position of its own in the change feed") func ownPositions() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let tags = try await withThrowingTaskGroup(of: (String, String?).self) { group in
            for number in 0..<300 {
                group.addTask {
                    let tag = try await store.modify([operation(.create, "r\(number)")]).tag()
                    // What has been acknowledged can be read at once.
                    _ = try await store.record("r\(number)")
                    return ("r\(number)", tag)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let positions = tags.compactMap { name, tag in tag.flatMap { ChangeTag.position($0) }.map { (name, $0) } }
        #expect(Set(positions.map(\.1)).count == 300)
        let feed = try await store.changes(limit: 1000).names
        #expect(feed == positions.sorted { $0.1 < $1.1 }.map(\.0))
    }

    @Test("Of concurrent saves with the same change tag exactly one succeeds") func rivals() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        var tag = try await store.modify([operation(.create, "a")]).tag()
        for _ in 0..<5 {
            let sent = tag
            let results = try await withThrowingTaskGroup(of: ModifyResult.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await store.modify([
                            operation(.update, "a", tag: sent, fields: #"{"by":{"value":\#(number)}}"#)
                        ])
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let won = results.compactMap { $0.tag() }
            #expect(won.count == 1)
            #expect(results.compactMap { $0.error()?.code } == Array(repeating: .conflict, count: 19))
            tag = won.first
            let stored = try await store.record("a")["recordChangeTag"]?.string
            #expect(stored == tag)
        }
    }

    @Test("A failing request leaves the others of its group alone") func failure() async throws {
        let store = try TemporaryStore().store
        try await store.makeZone()
        let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let type = "T\(number % 10)"
                    let operations = [
                        operation(.create, "r\(number)", type: type, fields: #"{"f\#(number % 7)":{"value":1}}"#),
                        number % 3 == 0 ? operation(.update, "none", tag: "1") : operation(.create, "s\(number)"),
                    ]
                    return try await store.modify(operations, atomic: true).isAtomicFailure
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(failures == 34)
        #expect(try await store.users.usage(owner: "_alice").records == 66 * 2)
        let names = try await store.changes(limit: 1000).names
        #expect(Set(names) == Set((0..<100).filter { $0 % 3 != 0 }.flatMap { ["r\($0)", "s\($0)"] }))
    }

    @Test(
        "A write frees what its callback holds before the next write of its group is answered", .timeLimit(.minutes(5)))
    func callbacks() async throws {
        final class Held: Sendable {}
        final class Watch: Sendable {
            private let held = Mutex<[() -> Held?]>([])
            func add(_ object: Held) { held.withLock { $0.append { [weak object] in object } } }
            var living: Int { held.withLock { $0.count { $0() != nil } } }
        }
        let store = try TemporaryStore().store
        let writes = store.stored.writes
        let (watch, mayGoOn) = (Watch(), DispatchSemaphore(value: 0))
        let living = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<3 {
                let object = Held()
                watch.add(object)
                writes.start(
                    for: nil, about: nil, nil,
                    // The first write keeps the group open until all are queued.
                    { _ in if number == 0 { mayGoOn.wait() } },
                    { [object] _ in
                        _ = object
                        let count = living.withLock { living in
                            living.append(watch.living)
                            return living.count
                        }
                        if count == 3 { continuation.resume() }
                    })
            }
            mayGoOn.signal()
        }
        #expect(living.withLock { $0 } == [3, 2, 1])
    }

    @Test("Concurrent writes to several zones all succeed") func manyZones() async throws {
        let store = try TemporaryStore().store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let zone = ZoneID(name: "Z\(number % 4)", owner: "_alice")
                    try await store.makeZone(zone)
                    let error = try await store.modify([operation(.forceUpdate, "r\(number)")], zone: zone).error()
                    #expect(error == nil)
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<4 {
            #expect(try await store.changes(zone: ZoneID(name: "Z\(number)", owner: "_alice")).names.count == 10)
        }
    }

    @Test("Closing an idle store leaves every write for the next opening")
    func closing() async throws {
        let temporary = try TemporaryStore()
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "a")])
        _ = try await temporary.store.query(#"{"recordType":"Note"}"#)
        try await temporary.store.close()
        let reopened = try temporary.open()
        #expect(try await reopened.exists("a"))
        try await reopened.close()
    }
}
