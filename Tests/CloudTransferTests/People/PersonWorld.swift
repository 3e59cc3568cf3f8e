import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudStore
@testable import CloudTransfer

/// A server's stores as one start of it would open them, for two people who have something of everything.
struct PersonWorld {
    static let email = "alice@example.com"

    let accounts: AccountStore
    let container: Container
    let stores: ContainerStores

    init(_ fixture: AccountFixture) async throws {
        accounts = try fixture.open()
        container = try await accounts.containers.ensure(name: "c")
        stores = ContainerStores(folder: fixture.folder, accounts: accounts, previews: nil)
    }

    func store() async throws -> EnvironmentStore {
        try await stores.store(container: container, environment: .development)
    }

    func close() async throws {
        try await stores.close()
        try accounts.close()
    }

    /// Gives Alice and Bob the same of everything, and lets each share with the other.
    func fill() async throws {
        for (name, email) in [("_alice", Self.email), ("_bob", "bob@example.com")] {
            let account = try await accounts.users.create(email: email)
            try await accounts.database.pool.write { db in
                _ = try db.run(
                    "INSERT INTO userRecord (container, recordName, account) VALUES (?, ?, ?)",
                    .integer(container.id), .text(name), .integer(account.id))
            }
            _ = try await accounts.sessions.create(
                email: email, container: container, environment: .development)
        }
        let store = try await store()
        for (user, other) in [("_alice", "_bob"), ("_bob", "_alice")] {
            let caller = Caller.user(recordName: user)
            let zone = ZoneID(name: "Notes", owner: user)
            _ = try await store.zones.modify(
                [.create(zone)], by: Requester(user: user), limits: Limits())
            _ = try await store.modify([operation(.create, "a")], zone: zone, caller: caller)
            let home = ZoneID(name: ZoneID.defaultName, owner: user)
            _ = try await store.modify([operation(.create, "h")], zone: home, caller: caller)
            _ = try await store.modify([operation(.create, "of\(user)")], zone: .world, caller: caller)
            try await store.users.ensure(user)
            let shared = try await store.modify(
                [sharing(nil, with: [other])], zone: zone, atomic: true, caller: caller)
            try await store.accept(
                try #require(shared.outcomes[0].saved?["shortGUID"]?.string, "\(shared.errors)"), as: other)
            _ = try await store.set(["k": "v"], as: user)
            try await store.devices.register(
                Device(token: user == "_alice" ? 1 : 2, user: user, clientID: nil, expires: .max))
            try await store.subscribe("s", #"{"subscriptionType":"database"}"#, user: user, in: .shared)
        }
    }
}
