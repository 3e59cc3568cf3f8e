import CloudAccounts
import CloudAssets
import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import Foundation
import TestStore
import Testing

@testable import CloudTransfer

/// People in a backup. A PostgreSQL database is backed up by its own tools.
@Suite(.timeLimit(.minutes(5)))
struct BackedUpPeopleTests {
    @Test("A restored backup has a person without an address, their identity and their name in a container")
    func addressless() async throws {
        let fixture = try MovingFixture(engine: SQLiteEngine())
        let archive = FolderArchive(root: fixture.folder("backups").path)
        let container = try await fixture.accounts.containers.create(name: "c")
        let person = try await fixture.accounts.users.create(email: "mei@example.com")
        let name = try await fixture.accounts.people.recordName(account: person.id, container: container.id)
        try await fixture.accounts.database.pool.write { [now = fixture.accounts.now()] db in
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: "s1", provider: "id", email: nil, account: person.id, now: now,
                in: db)
            try db.run(
                "UPDATE account SET email = NULL, emailKey = NULL, emailVerified = 0 WHERE id = ?", .integer(person.id))
        }
        _ = try await BackupCreation(of: fixture.data, accounts: fixture.accounts, to: archive).run()
        try await fixture.accounts.database.pool.write { db in
            _ = try db.run("DELETE FROM account WHERE id = ?", .integer(person.id))
        }
        #expect(try await fixture.accounts.users.find(id: person.id) == nil)
        try fixture.accounts.close()

        _ = try await BackupRestoration(of: fixture.data, from: archive).run(nil)
        let restored = try AccountStore(folder: fixture.data)
        let found = try #require(try await restored.users.find(id: person.id))
        #expect(found.email == nil && !found.emailVerified)
        let identity = try await restored.identities.find(issuer: "https://id.example", subject: "s1")
        #expect(identity?.account == person.id)
        #expect(try await restored.people.recordName(account: person.id, container: container.id) == name)
        // Ids of people are never used again.
        #expect(try await restored.users.create(email: "bo@example.com").id > person.id)
        try restored.close()
    }
}
