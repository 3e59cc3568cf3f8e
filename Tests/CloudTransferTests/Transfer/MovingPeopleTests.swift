import CloudAccounts
import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestStore
import Testing

@testable import CloudTransfer

/// Owners of records after an import.
struct MovingPeopleTests {
    let here: MovingFixture
    let source: Container

    init() async throws {
        here = try MovingFixture()
        source = try await here.accounts.containers.create(name: "iCloud.com.example.source")
        try await here.with(source, .production) { try await MovingWorld.fill($0) }
        for name in ["_alice", "_bob"] { try await here.know(name, in: source) }
    }

    @Test("An import connects users to accounts with the same address") func sameAddress() async throws {
        try await here.export(source, to: "one")
        let there = try MovingFixture()
        try FileManager.default.copyItem(atPath: here.folder("one").path, toPath: there.folder("one").path)
        let bob = try await there.accounts.users.create(email: "BOB@example.com")
        let target = try await there.accounts.containers.create(name: "target")
        try await there.take("one", into: target)
        #expect(try await there.accounts.people.recordName(account: bob.id, container: target.id) == "_bob")
        let alice = try #require(try await there.accounts.users.find(email: "alice@example.com"))
        #expect(try await there.accounts.people.recordName(account: alice.id, container: target.id) == "_alice")
        #expect(!alice.hasPassword)
    }

    @Test("An import is refused when a user has another record name in the container")
    func otherRecordName() async throws {
        try await here.export(source, to: "one")
        let there = try MovingFixture()
        try FileManager.default.copyItem(atPath: here.folder("one").path, toPath: there.folder("one").path)
        let target = try await there.accounts.containers.create(name: "target")
        let bob = try await there.accounts.users.create(email: "bob@example.com")
        let name = try await there.accounts.people.recordName(account: bob.id, container: target.id)
        await #expect(throws: TransferFault.self) { try await there.take("one", into: target) }
        #expect(try await there.accounts.users.find(email: "alice@example.com") == nil)
        #expect(try await there.accounts.people.recordName(account: bob.id, container: target.id) == name)
        let other = try await there.accounts.containers.create(name: "other")
        let squatter = try MovingFixture()
        try FileManager.default.copyItem(atPath: here.folder("one").path, toPath: squatter.folder("one").path)
        _ = try await squatter.accounts.users.create(email: "bob@example.com", emailVerified: false)
        let empty = try await squatter.accounts.containers.create(name: "target")
        await #expect(throws: TransferFault.self) { try await squatter.take("one", into: empty) }
        try await there.take("one", into: other)
    }

    @Test("A disabled user stays disabled after an import") func disabledUser() async throws {
        _ = try await here.accounts.users.setDisabled(true, email: "bob@example.com")
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: source.name)
        try await there.take("one", into: target)
        #expect(try await there.accounts.users.find(email: "bob@example.com")?.disabled == true)
        #expect(try await there.accounts.users.find(email: "alice@example.com")?.disabled == false)
        try await there.export(target, to: "two")
        #expect(try there.files("one") == there.files("two"))
        // Who has an account already is as disabled as that account.
        let other = try here.elsewhere("one")
        _ = try await other.accounts.users.create(email: "bob@example.com")
        try await other.take("one", into: other.accounts.containers.create(name: source.name))
        #expect(try await other.accounts.users.find(email: "bob@example.com")?.disabled == false)
    }

    @Test("A person without an address moves with their identities")
    func identities() async throws {
        let now = here.accounts.now()
        try await here.accounts.database.pool.write { [id = source.id] db in
            for subject in ["s1", "s2"] {
                let bob = try #require(try UserAccount.find(email: "bob@example.com", in: db))
                try PersonIdentity.insert(
                    issuer: "https://id.example", subject: subject, provider: "id", email: nil, account: bob.id,
                    now: now,
                    in: db)
            }
            try db.run(
                """
                UPDATE account SET email = NULL, emailKey = NULL, emailVerified = 0 WHERE id IN
                    (SELECT account FROM userRecord WHERE container = ? AND recordName IN ('_bob', '_alice'))
                """, .integer(id))
        }
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: "target")
        try await there.take("one", into: target)
        #expect(try await there.accounts.users.count() == 2)
        let bob = try #require(try await there.accounts.identities.find(issuer: "https://id.example", subject: "s2"))
        #expect(try await there.accounts.people.recordName(account: bob.account, container: target.id) == "_bob")
        #expect(try await there.accounts.users.find(id: bob.account)?.email == nil)
        // Known by the identity in another container too.
        let other = try await there.accounts.containers.create(name: "other")
        try await there.take("one", into: other)
        let found = try #require(try await there.accounts.identities.find(issuer: "https://id.example", subject: "s1"))
        #expect(try await there.accounts.people.recordName(account: found.account, container: other.id) == "_bob")
    }

    struct Damage: Sendable {
        let edit: @Sendable ([Substring]) -> [Substring]
        let reason: String
    }

    static let damages = [
        Damage(edit: { _ in [] }, reason: "2 users, and 0 came"),
        Damage(edit: { Array($0.dropLast()) }, reason: "2 users, and 1 came"),
        Damage(edit: { $0 + $0.suffix(1) }, reason: "users.jsonl, line 3: a user like it exists already"),
        Damage(edit: { [$0[0], $0[0]] }, reason: "users.jsonl, line 2: a user like it exists already"),
        Damage(
            edit: { [$0[0], "\($0[1].replacing("bob@", with: "alice@"))"] },
            reason: "alice@example.com is _alice in target already"),
        Damage(
            edit: { [$0[0], "\($0[1].replacing("_bob", with: "_alice"))"] },
            reason: "users.jsonl, line 2: a user"),
    ]

    @Test("An import with a wrong users.jsonl changes no account", arguments: damages.indices)
    func wrongList(_ index: Int) async throws {
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: "target")
        try there.change("users.jsonl", of: "one") { text in
            Self.damages[index].edit(text.split(separator: "\n")).map { $0 + "\n" }.joined()
        }
        let fault = await #expect(throws: TransferFault.self) { try await there.take("one", into: target) }
        #expect(fault?.description.contains(Self.damages[index].reason) == true, "\(String(describing: fault))")
        #expect(try await there.accounts.users.all() == [])
    }

    @Test("With --without-users an import leaves accounts alone") func withoutUsers() async throws {
        try await here.export(source, to: "one")
        let there = try here.elsewhere("one")
        let target = try await there.accounts.containers.create(name: "target")
        _ = try await EnvironmentImport(
            of: there.folder("one"), into: target, .production, in: there.data, accounts: there.accounts
        ).run(connectsUsers: false)
        #expect(try await there.accounts.users.all() == [])
        #expect(try await there.with(target, .production) { try await $0.exists("first") })
    }
}

extension MovingFixture {
    /// Makes an account that has this record name in a container.
    func know(_ name: String, in container: Container) async throws {
        let account = try await accounts.users.create(email: "\(name.dropFirst())@example.com")
        _ = try await accounts.database.pool.write {
            try $0.run(
                "INSERT INTO userRecord (container, recordName, account) VALUES (?, ?, ?)", .integer(container.id),
                .text(name), .integer(account.id))
        }
    }
}
