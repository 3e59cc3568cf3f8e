import CloudEngine
import CloudModel
import CloudSQL
import CloudSQLite
import TestEngine
import TestStore
import Testing

@testable import CloudAccounts

/// International domains are one address in both spellings.
@Suite(.timeLimit(.minutes(5)))
struct AddressSpellingTests {
    private static let spellings = [
        ("ann@b\u{FC}cher.example", "ann@xn--bcher-kva.example"),
        ("ann@B\u{DC}CHER.example", "ANN@XN--BCHER-KVA.EXAMPLE"),
        ("ann@bu\u{308}cher.example", "ann@xn--bcher-kva.example"),
        ("a@\u{4F8B}\u{3048}.\u{30C6}\u{30B9}\u{30C8}", "a@xn--r8jz45g.xn--zckzah"),
        ("j\u{FC}rgen@example.com", "J\u{DC}RGEN@example.com"),
    ]

    @Test("Both spellings have one key", arguments: spellings) func key(one: String, other: String) {
        #expect(EmailAddress.key(one) == EmailAddress.key(other))
        #expect(LookupInfo(email: one).isSame(as: LookupInfo(email: other)))
    }

    @Test("The part before the @ is not a domain") func localPart() {
        #expect(EmailAddress.key("b\u{FC}cher@example.com") != EmailAddress.key("xn--bcher-kva@example.com"))
        #expect(EmailAddress.key("a@b\u{FC}cher/x") == "a@b\u{FC}cher/x")
    }

    @Test("An account is found, taken and signed in to by both spellings", arguments: spellings)
    func account(one: String, other: String) async throws {
        let accounts = try AccountFixture().open()
        let made = try await accounts.users.create(email: one)
        #expect(try await accounts.users.find(email: other)?.id == made.id)
        let error = await #expect(throws: ServerError.self) { try await accounts.users.create(email: other) }
        #expect(error?.code == .exists)
        _ = try await accounts.users.setPassword("correct horse", email: one)
        #expect(try await accounts.users.find(email: other, password: "correct horse")?.id == made.id)
        let container = try await accounts.containers.create(name: "c")
        _ = try await accounts.people.recordName(account: made.id, container: container.id)
        let found = try await accounts.people.users([.email(other)], container: container.id)
        #expect(found.first??.email == one)
    }

    @Test("Of two accounts of one address in two spellings, a layout's change lets the confirmed one keep it")
    func migration() async throws {
        let fixture = try AccountFixture()
        let migrations = Array(AccountMigrations.all(in: fixture.folder).prefix(27))
        let pool = try TestEngine(copiesAccounts: false).opener.openAccounts(fixture.folder.accountsFile)
        try pool.migrate(migrations)
        try pool.writeBlocking { db in
            try db.script(
                """
                INSERT INTO account (email, emailKey, emailVerified, created) VALUES
                    ('a@xn--bcher-kva.example', 'a@xn--bcher-kva.example', 0, 1),
                    ('a@b\u{FC}cher.example', 'a@b\u{FC}cher.example', 1, 1),
                    ('b@b\u{FC}cher.example', 'b@b\u{FC}cher.example', 1, 1);
                """)
        }
        try pool.close()
        let accounts = try fixture.open()
        for address in ["a@b\u{FC}cher.example", "a@xn--bcher-kva.example"] {
            #expect(try await accounts.users.find(email: address)?.id == 2)
        }
        #expect(try await accounts.users.find(email: "b@xn--bcher-kva.example")?.id == 3)
        let other = try #require(try await accounts.users.find(named: "1"))
        #expect(other.email == nil && other.givenName == "a@xn--bcher-kva.example")
        #expect(try await accounts.users.all().count == 3)
    }
}
