import CloudModel
import CloudSQL
import Foundation
import Synchronization
import Testing

@testable import CloudStore

/// A person goes with all that is theirs, and with nothing of anybody else's.
@Suite(.timeLimit(.minutes(10)))
struct PersonDeletionTests {
    private static let email = "alice@example.com"
    private let fixture = Result { try AccountFixture() }

    private struct Cut: Error {}

    /// A server's stores as one start of it would open them.
    private struct World {
        let accounts: AccountStore
        let container: Container
        let stores: ContainerStores

        func store() async throws -> StoredEnvironment {
            try #require(
                try await stores.store(container: container, environment: .development) as? StoredEnvironment)
        }

        func deletion(cutAfter steps: Int? = nil) -> PersonDeletion {
            let done = Atomic(0)
            return PersonDeletion(accounts: accounts, stores: stores, limits: Limits()) {
                if done.add(1, ordering: .relaxed).newValue == steps { throw Cut() }
            }
        }

        func close() async throws {
            try await stores.close()
            try accounts.close()
        }
    }

    private func open() async throws -> World {
        let accounts = try fixture.get().open()
        return World(
            accounts: accounts, container: try await accounts.ensureContainer(name: "c"),
            stores: ContainerStores(folder: try fixture.get().folder, accounts: accounts, previews: nil))
    }

    /// Alice and Bob have the same of everything, and each shares with the other.
    private func fill(_ world: World) async throws {
        for (name, email) in [("_alice", Self.email), ("_bob", "bob@example.com")] {
            let account = try await world.accounts.createUserAccount(email: email)
            try await world.accounts.pool.write { db in
                _ = try db.run(
                    "INSERT INTO userRecord (container, recordName, account) VALUES (?, ?, ?)",
                    .integer(world.container.id), .text(name), .integer(account.id))
            }
            _ = try await world.accounts.createSession(
                email: email, container: world.container, environment: .development)
        }
        let store = try await world.store()
        for (user, other) in [("_alice", "_bob"), ("_bob", "_alice")] {
            let caller = Caller.user(recordName: user)
            let zone = ZoneID(name: "Notes", owner: user)
            _ = try await store.modify(
                [.create(zone)], by: Requester(user: user), limits: Limits())
            _ = try await store.modify([operation(.create, "a")], zone: zone, caller: caller)
            let home = ZoneID(name: ZoneID.defaultName, owner: user)
            _ = try await store.modify([operation(.create, "h")], zone: home, caller: caller)
            _ = try await store.modify([operation(.create, "of\(user)")], zone: .world, caller: caller)
            try await store.ensureUser(user)
            let shared = try await store.modify(
                [sharing(nil, with: [other])], zone: zone, atomic: true, caller: caller)
            try await store.accept(
                try #require(shared.outcomes[0].saved?["shortGUID"]?.string, "\(shared.errors)"), as: other)
            _ = try await store.set(["k": "v"], as: user)
            try await store.register(
                Device(token: user == "_alice" ? 1 : 2, user: user, clientID: nil, expires: .max))
            try await store.subscribe("s", #"{"subscriptionType":"database"}"#, user: user, in: .shared)
        }
    }

    /// What is left once Alice is gone: nothing of hers, and of Bob's all but what they shared with each other.
    private func checkGone(_ world: World, bobs before: PersonFootprint) async throws {
        let store = try await world.store()
        #expect(try await store.footprint(of: "_alice") == PersonFootprint())
        #expect(try await world.accounts.userAccount(email: Self.email) == nil)
        #expect(try await world.accounts.accountsInDeletion().isEmpty)
        #expect(try await store.owners(after: "", limit: 10).map(\.userRecordName) == ["_bob"])
        var bobs = before
        (bobs.memberships, bobs.shareMembers) = (0, 0)
        #expect(try await store.footprint(of: "_bob") == bobs)
        #expect(try await world.accounts.openSessions(email: "bob@example.com", container: nil).count == 1)
        // Records in the public database stay, under the name that they have.
        let kept = try await store.record("of_alice", zone: .world, caller: .world)
        #expect(kept["created"]?.object?["userRecordName"]?.string == "_alice")
    }

    @Test func aDeletedPersonLeavesNothingAndAnotherKeepsAll() async throws {
        let world = try await open()
        try await fill(world)
        let store = try await world.store()
        let before = try await store.footprint(of: "_bob")
        let hers = try await store.footprint(of: "_alice")
        #expect(hers.shares == 1 && hers.shareMembers == 1 && hers.memberships == 1 && hers.keys == 1)
        #expect(hers.records == before.records && hers.records > 0 && hers.devices == 1 && hers.subscriptions == 1)
        try await world.deletion().run(email: Self.email)
        try await checkGone(world, bobs: before)
        try await world.close()
    }

    @Test func aMemberHearsThatTheZonesOfADeletedPersonAreGone() async throws {
        let world = try await open()
        try await fill(world)
        let store = try await world.store()
        let seen = try await store.changedZones(sharedWith: "_bob", syncToken: nil, limit: 10)
        #expect(seen.zones.map(\.zone) == [.notes] && seen.zones.map(\.deleted) == [false])
        try await world.deletion().run(email: Self.email)
        let news = try await store.changedZones(sharedWith: "_bob", syncToken: seen.syncToken, limit: 10)
        #expect(news.zones.map(\.zone) == [.notes] && news.zones.map(\.deleted) == [true])
        try await world.close()
    }

    @Test("A deletion that is cut off after any step is finished at the next start", arguments: 1...6)
    func cutOff(after steps: Int) async throws {
        let first = try await open()
        try await fill(first)
        let before = try await first.store().footprint(of: "_bob")
        await #expect(throws: Cut.self) { try await first.deletion(cutAfter: steps).run(email: Self.email) }
        try await first.close()
        let second = try await open()
        try await second.deletion().finishAll()
        try await checkGone(second, bobs: before)
        try await second.close()
    }

    @Test func whatARequestUnderWayWritesBehindTheDeletionGoesToo() async throws {
        let world = try await open()
        try await fill(world)
        let store = try await world.store()
        let before = try await store.footprint(of: "_bob")
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

    @Test func aPersonWhoIsBeingDeletedIsRefusedAndTheirAddressIsTaken() async throws {
        let world = try await open()
        try await fill(world)
        await #expect(throws: Cut.self) { try await world.deletion(cutAfter: 1).run(email: Self.email) }
        #expect(try await world.accounts.openSessions(email: Self.email, container: nil).isEmpty)
        for refused in [
            { _ = try await world.accounts.setDisabled(false, email: Self.email) },
            { _ = try await world.accounts.createUserAccount(email: Self.email) },
            {
                _ = try await world.accounts.createSession(
                    email: Self.email, container: world.container, environment: .development)
            },
        ] as [() async throws -> Void] {
            await #expect(throws: ServerError.self) { try await refused() }
        }
        // The command run again is as good as a start.
        try await world.deletion().run(email: Self.email)
        _ = try await world.accounts.createUserAccount(email: Self.email)
        try await world.close()
    }
}
