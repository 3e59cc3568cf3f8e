import CloudModel
import CloudSQL
import Dispatch
import Synchronization
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// Small reads that wait for a connection are run in one snapshot.
@Suite(.timeLimit(.minutes(5)))
struct SharedSnapshotTests {
    /// A store none of whose reads begins before ``go()``, and then all on one connection.
    private final class Held: Sendable {
        let temporary: TemporaryStore
        let statements = Mutex<[String]>([])
        private let first: Int
        private let second: Int

        var store: EnvironmentStore { temporary.store }

        init(_ names: [String]) async throws {
            let note = Mutex<(@Sendable (String) -> Void)?>(nil)
            temporary = try TemporaryStore(engine: TestEngine(onRead: { sql in note.withLock { $0 }?(sql) }))
            let store = temporary.store
            try await store.makeZone()
            _ = try await store.modify(names.map { operation(.create, $0) })
            (first, second) = (try await store.stored.reads.hold(nil), try await store.stored.reads.hold(nil))
            note.withLock { $0 = { [self] sql in statements.withLock { $0.append(sql) } } }
        }

        func wait(for count: Int) async { while store.stored.reads.waiting < count { await Task.yield() } }
        func go() { store.stored.reads.release(first, nil) }

        func close() async throws {
            store.stored.reads.release(second, nil)
            try await store.close()
        }

        func count(_ text: String) -> Int { statements.withLock { $0.count { $0.contains(text) } } }
    }

    @Test("Waiting lookups share the statements for snapshot, schema, zone and records")
    func together() async throws {
        let held = try await Held(["a", "b", "c"])
        let names = ["a", "b", "c", "a", "none"]
        let found = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (index, name) in names.enumerated() {
                group.addTask { (index, try await held.store.exists(name)) }
            }
            await held.wait(for: names.count)
            held.go()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(found == [0: true, 1: true, 2: true, 3: true, 4: false])
        // The last answer is given before the end of the snapshot.
        try await held.close()
        if !ChosenEngine.isPostgres {
            #expect(held.count("BEGIN") == 1 && held.count("COMMIT") == 1)
            #expect(held.count("catalog_version") == 1 && held.count("FROM zones") == 1)
            #expect(held.count("records r") == 1)
        }
    }

    @Test("A read that arrives during a shared snapshot sees writes made since the snapshot began")
    func freshness() async throws {
        let held = try await Held(["a"])
        let store = held.store
        let (begun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
        async let old = store.stored.reads.read(.small) { db in
            let count = try db.first("SELECT count(*) FROM records") { $0.integer(0) }
            Task { await begun.wait() }
            mayEnd.wait()
            return count
        }
        async let alongside = store.exists("new")
        await held.wait(for: 2)
        held.go()
        await begun.arrived()
        _ = try await store.modify([operation(.create, "new")])
        async let late = store.exists("new")
        await held.wait(for: 1)
        mayEnd.signal()
        #expect(try await late)
        #expect(try await (old, alongside) == (1, false))
        begun.openForGood()
        try await held.close()
    }

    @Test("A failing read leaves the other answers of its snapshot alone", arguments: [true, false])
    func failures(inTheDatabase: Bool) async throws {
        struct Expected: Error {}
        let held = try await Held(["a", "b"])
        let store = held.store
        async let first = store.exists("a")
        let fails = Task {
            try await store.stored.reads.read(.small) { db in
                if inTheDatabase { try db.run("SELECT nothing FROM nowhere") }
                throw Expected()
            }
        }
        async let second = store.exists("b")
        await held.wait(for: 3)
        held.go()
        await #expect(throws: (any Error).self) { try await fails.value }
        #expect(try await (first, second) == (true, true))
        #expect(try await store.exists("a"))
        try await held.close()
    }

    @Test("Small waiting reads are answered while reads of unknown size begin and end")
    func amongOthers() async throws {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "a")])
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<400 {
                group.addTask {
                    switch number % 8 {
                    case 0:
                        let connection = try await store.stored.reads.hold(nil)
                        defer { store.stored.reads.release(connection, nil) }
                        await Task.yield()
                        return true
                    case 1...3:
                        return try await store.stored.reads.read { db in
                            try db.first("SELECT count(*) FROM records") { $0.integer(0) } == 1
                        }
                    default: return try await store.exists("a")
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: true, count: 400))
        try await store.close()
    }
}
