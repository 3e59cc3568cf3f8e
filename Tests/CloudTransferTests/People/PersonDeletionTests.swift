import CloudAccounts
import CloudModel
import CloudSQL
import Foundation
import Synchronization
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// A person goes with all that is theirs, and with nothing of anybody else's.
@Suite(.timeLimit(.minutes(10)))
struct PersonDeletionTests {
    private static let email = PersonWorld.email
    private let fixture = Result { try AccountFixture() }

    private struct Cut: Error {}

    private func open() async throws -> PersonWorld { try await PersonWorld(fixture.get()) }

    private func deletion(of world: PersonWorld, cutAfter steps: Int? = nil) -> PersonDeletion {
        let done = Atomic(0)
        return PersonDeletion(accounts: world.accounts, stores: world.stores, limits: Limits()) {
            if done.add(1, ordering: .relaxed).newValue == steps { throw Cut() }
        }
    }

    /// Once Alice is deleted, nothing of hers is left, and of Bob's all but what they shared with each other.
    private func checkGone(_ world: PersonWorld, bobs before: PersonFootprint) async throws {
        let store = try await world.store()
        #expect(try await store.people.footprint(of: "_alice") == PersonFootprint())
        #expect(try await world.accounts.users.find(email: Self.email) == nil)
        #expect(try await world.accounts.users.inDeletion().isEmpty)
        #expect(try await store.browsing.owners(after: "", limit: 10).map(\.userRecordName) == ["_bob"])
        var bobs = before
        (bobs.memberships, bobs.shareMembers) = (0, 0)
        #expect(try await store.people.footprint(of: "_bob") == bobs)
        #expect(try await world.accounts.sessions.list(email: "bob@example.com", container: nil).count == 1)
        // Records in the public database stay, under the name that they have.
        let kept = try await store.record("of_alice", zone: .world, caller: .world)
        #expect(kept["created"]?.object?["userRecordName"]?.string == "_alice")
    }

    @Test("A deleted person leaves nothing behind, and other people keep everything")
    func completeDeletion() async throws {
        let world = try await open()
        try await world.fill()
        let store = try await world.store()
        let before = try await store.people.footprint(of: "_bob")
        let hers = try await store.people.footprint(of: "_alice")
        #expect(hers.shares == 1 && hers.shareMembers == 1 && hers.memberships == 1 && hers.keys == 1)
        #expect(hers.records == before.records && hers.records > 0 && hers.devices == 1 && hers.subscriptions == 1)
        try await deletion(of: world).run(email: Self.email)
        try await checkGone(world, bobs: before)
        try await world.close()
    }

    @Test("A member's feed reports the zones of a deleted person as deleted")
    func memberFeed() async throws {
        let world = try await open()
        try await world.fill()
        let store = try await world.store()
        let seen = try await store.zones.changes(sharedWith: "_bob", syncToken: nil, limit: 10)
        #expect(seen.zones.map(\.zone) == [.notes] && seen.zones.map(\.deleted) == [false])
        try await deletion(of: world).run(email: Self.email)
        let news = try await store.zones.changes(sharedWith: "_bob", syncToken: seen.syncToken, limit: 10)
        #expect(news.zones.map(\.zone) == [.notes] && news.zones.map(\.deleted) == [true])
        try await world.close()
    }

    @Test("A deletion interrupted after any step is finished at the next start", arguments: 1...6)
    func cutOff(after steps: Int) async throws {
        let first = try await open()
        try await first.fill()
        let before = try await first.store().people.footprint(of: "_bob")
        await #expect(throws: Cut.self) { try await deletion(of: first, cutAfter: steps).run(email: Self.email) }
        try await first.close()
        let second = try await open()
        try await deletion(of: second).finishAll()
        try await checkGone(second, bobs: before)
        try await second.close()
    }

    @Test("Records written during a deletion are deleted too") func lateRecords() async throws {
        let world = try await open()
        try await world.fill()
        let store = try await world.store()
        let before = try await store.people.footprint(of: "_bob")
        let steps = Atomic(0)
        let late = PersonDeletion(accounts: world.accounts, stores: world.stores, limits: Limits()) {
            // All parts of the first attempt are gone by then.
            guard steps.add(1, ordering: .relaxed).newValue == 5 else { return }
            _ = try await store.modify(
                [operation(.create, "late")], zone: ZoneID(name: ZoneID.defaultName, owner: "_alice"),
                caller: .user(recordName: "_alice"))
        }
        try await late.run(email: Self.email)
        #expect(steps.load(ordering: .relaxed) > 6)
        try await checkGone(world, bobs: before)
        try await world.close()
    }

    @Test("During a deletion the person is refused and their address stays taken")
    func duringDeletion() async throws {
        let world = try await open()
        try await world.fill()
        await #expect(throws: Cut.self) { try await deletion(of: world, cutAfter: 1).run(email: Self.email) }
        #expect(try await world.accounts.sessions.list(email: Self.email, container: nil).isEmpty)
        for refused in [
            { _ = try await world.accounts.users.setDisabled(false, email: Self.email) },
            { _ = try await world.accounts.users.create(email: Self.email) },
            {
                _ = try await world.accounts.sessions.create(
                    email: Self.email, container: world.container, environment: .development)
            },
        ] as [() async throws -> Void] {
            await #expect(throws: ServerError.self) { try await refused() }
        }
        // The command run again is as good as a start.
        try await deletion(of: world).run(email: Self.email)
        _ = try await world.accounts.users.create(email: Self.email)
        try await world.close()
    }
}
