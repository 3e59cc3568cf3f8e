import CloudEngine
import CloudModel
import TestEngine
import TestStore
import Testing

@testable import CloudStore

/// An older copy of a file is put back by hand while clients hold tags and tokens of the time that is lost
/// (client-libraries §3.8).
struct RestoredStoreTests {
    private let temporary: TemporaryStore
    private var copy: String { temporary.path + ".copy" }

    init() throws { temporary = try TemporaryStore() }

    /// Copies the file as it is, once the store that has it open is closed.
    private func keep(_ store: EnvironmentStore) async throws -> EnvironmentStore {
        try await store.close()
        try TestEngine().copier.copy(temporary.path, to: copy) { _, _ in }
        return try temporary.open()
    }

    private func restore(_ store: EnvironmentStore) async throws -> EnvironmentStore {
        try await store.close()
        try TestEngine().locations.move(copy, to: temporary.path)
        return try temporary.open()
    }

    private static func save(_ name: String, by device: String, tag: String? = nil) -> String {
        operation(
            tag == nil ? .forceUpdate : .update, name, tag: tag, fields: #"{"by":{"value":"\#(device)"}}"#)
    }

    @Test("An update with a tag from before a restore does not overwrite a newer edit")
    func tags() async throws {
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([Self.save("a", by: "phone")])
        let later = try await keep(temporary.store)
        let phone = try await later.modify([Self.save("a", by: "phone")]).tag()

        let restored = try await restore(later)
        let tablet = try await restored.modify([Self.save("a", by: "tablet")]).tag()
        #expect(try ChangeTag.position(#require(phone)) == ChangeTag.position(#require(tablet)))
        let refused = try await restored.modify([Self.save("a", by: "phone", tag: phone)])
        #expect(refused.error()?.code == .conflict)
        #expect(try await restored.record("a").field("by")?.string == "tablet")
        #expect(try await restored.modify([Self.save("a", by: "tablet", tag: tablet)]).error() == nil)
        try await restored.close()
    }

    @Test("A token from the lost time is refused at any number of later changes, with the time of the restore")
    func positions() async throws {
        let clock = temporary.clock
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "kept")])
        _ = try await temporary.store.set(["k": "1"])
        let lastChange = clock.now
        clock.pass(milliseconds: 1000)
        let later = try await keep(temporary.store)
        let good = try await later.changes()
        _ = try await later.modify([operation(.create, "lost"), operation(.create, "lost too")])
        let zone = try await later.changes().token
        let backward = try await later.changes(limit: 1, reverse: true).token
        let database = try await later.zones.changes(owner: "_alice", syncToken: nil, limit: 9).syncToken
        let keyValues = try await later.set(["k": "2"]).changeToken
        #expect(try await later.changes(since: zone).names.isEmpty)

        let restored = try await restore(later)
        for round in 0..<9 {
            if round > 0 {
                clock.pass(milliseconds: 1000)
                _ = try await restored.modify([operation(.create, "new \(round)")])
                _ = try await restored.set(["k": "new \(round)"])
            }
            for token in [zone, backward] {
                let error = await #expect(throws: ServerError.self) { try await restored.changes(since: token) }
                #expect(error?.restoredTo == lastChange)
                #expect(error?.reason.hasPrefix("Unknown sync continuation type") == true)
            }
            let error = await #expect(throws: ServerError.self) {
                try await restored.zones.changes(owner: "_alice", syncToken: database, limit: 9)
            }
            #expect(error?.restoredTo == lastChange)
            #expect(try await restored.keyValues.changes(since: keyValues).reason == .initialSync)
            #expect(try await restored.changes(since: good.token).names.count == round)
        }
        try await restored.close()
    }

    @Test("A member's token for a shared zone is refused too")
    func sharedZones() async throws {
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "root")])
        try await temporary.store.accept(try await temporary.store.share("root", with: ["_bob"]), as: "_bob")
        let later = try await keep(temporary.store)
        let good = try await later.changes(caller: .bob).token
        _ = try await later.modify([operation(.forceUpdate, "root")])
        let zone = try await later.changes(caller: .bob).token
        let database = try await later.zones.changes(sharedWith: "_bob", syncToken: nil, limit: 9).syncToken
        let restored = try await restore(later)
        for _ in 0..<4 {
            await #expect(throws: ServerError.self) { try await restored.changes(since: zone, caller: .bob) }
            await #expect(throws: ServerError.self) {
                try await restored.zones.changes(sharedWith: "_bob", syncToken: database, limit: 9)
            }
            _ = try await restored.modify([operation(.forceUpdate, "root")])
        }
        #expect(try await restored.changes(since: good, caller: .bob).names == ["root"])
        try await restored.close()
    }

    @Test("Two diverging copies refuse each other's tokens, and their tags differ")
    func copies() async throws {
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "a")])
        let one = try await keep(temporary.store)
        let oneTag = try await one.modify([operation(.forceUpdate, "a")]).tag()
        let oneToken = try await one.changes().token
        let two = try await restore(one)
        let twoTag = try await two.modify([operation(.forceUpdate, "a")]).tag()
        #expect(oneTag != twoTag)
        let error = await #expect(throws: ServerError.self) { try await two.changes(since: oneToken) }
        #expect(error?.restoredTo != nil)
        try await two.close()
    }

    @Test("Tags and tokens survive restarts, and a store that writes nothing starts no epoch")
    func restarts() async throws {
        try await temporary.store.makeZone()
        var (tag, token) = (try await temporary.store.modify([operation(.create, "a")]).tag(), "")
        token = try await temporary.store.changes().token
        try await temporary.store.close()
        for _ in 0..<3 {
            for _ in 0..<5 {
                let idle = try temporary.open()
                #expect(try await idle.changes(since: token).names.isEmpty)
                #expect(try await idle.changes().token == token)
                #expect(try await idle.record("a")["recordChangeTag"]?.string == tag)
                try await idle.close()
            }
            let store = try temporary.open()
            let saved = try await store.modify([operation(.update, "a", tag: tag)])
            #expect(saved.error() == nil)
            tag = saved.tag()
            let changes = try await store.changes(since: token)
            #expect(changes.names == ["a"])
            token = changes.token
            try await store.close()
        }
        #expect(try await temporary.count("epochs") == 4)
    }

    @Test("Reopening a file in one process continues its epoch, unless the file was replaced")
    func reopening() async throws {
        let memory = EpochMemory()
        try await temporary.store.close()
        for round in 0..<5 {
            let store = try temporary.open(epochMemory: memory)
            if round == 0 { try await store.makeZone() }
            _ = try await store.modify([operation(.forceUpdate, "a")])
            try await store.close()
        }
        #expect(try await temporary.count("epochs") == 1)
        try TestEngine().copier.copy(temporary.path, to: copy) { _, _ in }
        var store = try temporary.open(epochMemory: memory)
        let lost = try await store.modify([operation(.forceUpdate, "a")]).tag()
        try await store.close()
        try TestEngine().locations.move(copy, to: temporary.path)
        store = try temporary.open(epochMemory: memory)
        #expect(try await store.modify([operation(.forceUpdate, "a")]).tag() != lost)
        try await store.close()
        #expect(try await temporary.count("epochs") == 2)
    }

    @Test("An epoch begins with a committed write, not with an undone one")
    func undoneWrite() async throws {
        let store = temporary.store
        try await store.makeZone()
        try await store.close()
        let again = try temporary.open()
        let refused = try await again.modify(
            [operation(.create, "a"), operation(.update, "none", tag: "1")], atomic: true)
        #expect(refused.isAtomicFailure)
        #expect(try await temporary.count("epochs") == 1)
        let tag = try await again.modify([operation(.create, "a")]).tag()
        #expect(try await again.modify([operation(.update, "a", tag: tag)]).error() == nil)
        #expect(try await temporary.count("epochs") == 2)
        try await again.close()
    }

    @Test("A restored queue gives its messages new numbers")
    func notificationNumbers() async throws {
        try await temporary.store.makeZone()
        _ = try await temporary.store.modify([operation(.create, "a")])
        try await temporary.store.subscribe("s", zoneSubscription())
        try await temporary.store.listen()
        let later = try await keep(temporary.store)
        temporary.clock.pass(milliseconds: 1)
        _ = try await later.modify([operation(.forceUpdate, "a")])
        let lost = try #require(try await later.notifications.next(token: 1)?.id)
        let restored = try await restore(later)
        temporary.clock.pass(milliseconds: 1)
        _ = try await restored.modify([operation(.forceUpdate, "a")])
        #expect(try #require(try await restored.notifications.next(token: 1)).id > lost)
        try await restored.close()
    }
}
