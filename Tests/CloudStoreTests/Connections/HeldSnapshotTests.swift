import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

@Suite(.timeLimit(.minutes(5)))
struct HeldSnapshotTests {
    @Test("Reads in one snapshot see one moment, despite concurrent writes")
    func oneMoment() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "before")])
        let (first, second) = try await store.inOneSnapshot {
            let first = try await store.changes().names
            _ = try await store.modify([operation(.create, "meanwhile")])
            return (first, try await store.changes().names)
        }
        #expect(first == ["before"])
        #expect(second == first)
        #expect(try await store.changes().names == ["before", "meanwhile"])
        try await store.close()
    }

    @Test("A connection is returned after an error, and by each of many callers")
    func connectionsComeBack() async throws {
        struct Expected: Error {}
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        for _ in 0..<10 {
            await #expect(throws: Expected.self) { try await store.inOneSnapshot { throw Expected() } }
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try await store.inOneSnapshot {
                        let outer = try await store.changes().names
                        return try await store.inOneSnapshot { try await store.changes().names == outer }
                    }
                }
            }
            for try await same in group { #expect(same) }
        }
        #expect(try await store.changes().names.isEmpty)
        #expect(store.stored.reads.waiting == 0)
        try await store.close()
    }

    @Test("A task that outlives its snapshot reads the current state")
    func tasksThatStay() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        let gate = Gate()
        let task = try await store.inOneSnapshot {
            Task {
                await gate.wait()
                return try await store.changes().names
            }
        }
        await gate.arrived()
        _ = try await store.modify([operation(.create, "later")])
        gate.openForGood()
        #expect(try await task.value == ["later"])
        try await store.close()
    }
}
