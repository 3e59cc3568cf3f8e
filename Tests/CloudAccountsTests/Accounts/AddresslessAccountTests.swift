import CloudEngine
import CloudModel
import CloudSQL
import TestStore
import Testing

@testable import CloudAccounts

/// Accounts of people who have no address here.
@Suite(.timeLimit(.minutes(5)))
struct AddresslessAccountTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    private func person(_ subject: String = "s1", name: String? = nil) async throws -> UserAccount {
        let now = accounts.now()
        return try await accounts.database.pool.write { db in
            let made = try UserAccounts.insertAccount(
                email: nil, givenName: name, familyName: nil, verified: false, created: now, in: db)
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: subject, provider: "id", email: nil, account: made.id, now: now,
                in: db)
            return made
        }
    }

    @Test("Several accounts have no address, and each is found by its id") func ids() async throws {
        let (one, other) = (try await person(), try await person("s2"))
        #expect(one.id != other.id && one.email == nil)
        #expect(try await accounts.users.find(named: one.idText) == one)
        #expect(try await accounts.users.find(named: "999") == nil)
        #expect(try await accounts.users.find(email: one.idText) == nil)
        #expect(try await accounts.users.find(email: "") == nil)
        #expect(try await accounts.users.find(email: one.idText, password: "") == nil)
    }

    @Test("A list of accounts shows those without an address last, page by page") func pages() async throws {
        let nameless = [try await person("s1", name: "Zoe"), try await person("s2")]
        for address in ["b@example.com", "a@example.com"] { _ = try await accounts.users.create(email: address) }
        var (seen, after) = ([String](), String?.none)
        while let next = try await accounts.users.list(after: after, matching: nil, limit: 1).first {
            seen.append(next.handle)
            after = next.handle
        }
        #expect(seen == ["a@example.com", "b@example.com"] + nameless.map(\.idText))
        #expect(try await accounts.users.all().map(\.handle) == seen)
        #expect(try await accounts.users.list(after: nil, matching: "zoe", limit: 9).map(\.id) == [nameless[0].id])
        #expect(
            try await accounts.users.list(after: nil, matching: nameless[1].idText, limit: 9).map(\.id) == [
                nameless[1].id
            ])
    }

    @Test("An account without an address has sessions, which are listed and ended by its id") func sessions()
        async throws
    {
        let account = try await person()
        let container = try await accounts.containers.create(name: "c")
        let session = try await accounts.sessions.create(
            email: account.idText, container: container, environment: .development)
        _ = try await accounts.browserLogins.create(account: account, persistent: false)
        let found = try await accounts.sessions.list(email: account.idText)
        #expect(found.count == 2 && found.allSatisfy { $0.email == nil && $0.account == account.id })
        #expect(
            try await accounts.people.users([.recordName(session.userRecordName)], container: container.id)[0]?.email
                == nil)
        #expect(try await accounts.people.person(account: account.id, container: container.id).email == nil)
        #expect(try await accounts.sessions.revokeAll(email: account.idText) == 2)
    }

    @Test("Nothing that needs an address is done without one") func refusals() async throws {
        let account = try await person()
        for refused in [
            { _ = try await accounts.users.setPassword("correct horse", email: account.idText) },
            { _ = try await accounts.users.confirmAddress(email: account.idText) },
            { _ = try await accounts.operators.add(email: account.idText, role: .owner) },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: ServerError.self) { try await refused() }
            #expect(error?.code == .badRequest)
        }
    }

    @Test("An identity signs in an account whose address is unconfirmed, a password does not") func unconfirmed()
        async throws
    {
        let plain = try await accounts.users.create(email: "a@example.com", emailVerified: false)
        await #expect(throws: ServerError.self) {
            _ = try await accounts.browserLogins.create(account: plain, persistent: false)
        }
        let now = accounts.now()
        try await accounts.database.pool.write { db in
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: "s", provider: "id", email: nil, account: plain.id, now: now,
                in: db)
        }
        _ = try await accounts.browserLogins.create(account: plain, persistent: false)
    }

    @Test("Who proves an unconfirmed address takes it from an account with an identity, which stays")
    func provenAddress() async throws {
        let first = try await accounts.registrations.begin(
            email: "a@example.com", password: "first long word", givenName: nil, familyName: nil)
        let holder = try #require(try await accounts.users.find(email: "a@example.com"))
        let now = accounts.now()
        try await accounts.database.pool.write { db in
            try PersonIdentity.insert(
                issuer: "https://id.example", subject: "s", provider: "id", email: nil, account: holder.id, now: now,
                in: db)
        }
        let second = try await accounts.registrations.begin(
            email: "a@example.com", password: "second long word", givenName: nil, familyName: nil)
        let outcome = try await accounts.registrations.confirm(id: second.id, code: try #require(second.code))
        guard case .confirmed(let owner) = outcome else {
            Issue.record("the right code was refused")
            return
        }
        #expect(owner.id != holder.id && owner.email == "a@example.com")
        let left = try #require(try await accounts.users.find(id: holder.id))
        #expect(left.email == nil && !left.hasPassword)
        #expect(try await accounts.registrations.confirm(id: first.id, code: try #require(first.code)) == .gone)
    }

    @Test("An address changes, and codes that were mailed to the old one are void") func change() async throws {
        let account = try await accounts.users.create(email: "old@example.com")
        _ = try await accounts.users.create(email: "taken@example.com")
        let reset = try await accounts.passwordResets.begin(email: "old@example.com")
        let changed = try await accounts.users.setAddress("New@example.com", email: account.idText)
        #expect(changed.id == account.id && changed.email == "New@example.com" && changed.emailVerified)
        #expect(try await accounts.users.find(email: "old@example.com") == nil)
        let outcome = try await accounts.passwordResets.finish(
            id: reset.id, code: try #require(reset.code), password: "correct horse")
        #expect(outcome == .gone)
        let taken = await #expect(throws: ServerError.self) {
            try await accounts.users.setAddress("TAKEN@example.com", email: account.idText)
        }
        #expect(taken?.code == .exists)
        // The same address in another spelling stays the account's.
        #expect(
            try await accounts.users.setAddress("new@Example.com", email: account.idText).email == "new@Example.com")
        let last = await #expect(throws: ServerError.self) {
            try await accounts.users.setAddress(nil, email: account.idText)
        }
        #expect(last?.code == .badRequest)
    }

    @Test("An address is taken away from an account with an identity, but for an operator's") func removal()
        async throws
    {
        let account = try await person()
        #expect(try await accounts.users.setAddress("a@example.com", email: account.idText).email == "a@example.com")
        #expect(try await accounts.users.setAddress(nil, email: "a@example.com").email == nil)
        _ = try await accounts.users.setAddress("a@example.com", email: account.idText)
        _ = try await accounts.operators.add(email: account.idText, role: .owner)
        await #expect(throws: ServerError.self) { try await accounts.users.setAddress(nil, email: account.idText) }
    }

    @Test("A deleted account takes its identities with it") func deletion() async throws {
        let account = try await person()
        _ = try await accounts.users.beginDeletion(email: account.idText, within: .everybody)
        try await accounts.users.finishDeletion(account: account.id)
        #expect(try await accounts.identities.find(issuer: "https://id.example", subject: "s1") == nil)
    }
}
