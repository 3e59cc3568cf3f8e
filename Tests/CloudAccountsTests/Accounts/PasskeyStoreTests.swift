import CloudIdentity
import CloudModel
import TestPasskeys
import TestStore
import Testing

@testable import CloudAccounts

/// Passkeys in the accounts' database.
@Suite(.timeLimit(.minutes(5)))
struct PasskeyStoreTests {
    private let accounts: AccountStore
    private let fixture: AccountFixture
    private let rules: PasskeyRules

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
        rules = PasskeyRules(relyingParty: try RelyingParty(origin: "http://localhost"))
    }

    private func ticket(_ challenge: [UInt8]) -> SignInTicket {
        SignInTicket(challenge: challenge, expires: accounts.now() + .seconds(300))
    }

    @discardableResult
    private func add(_ passkey: TestPasskey, to account: UserAccount) async throws -> TestPasskey {
        let challenge = PasskeyOptions.challenge()
        let text = passkey.registration(Base64URL.encode(challenge))
        let object = try #require(try JSONParser.parse(Array(text.utf8)).object)
        try await accounts.passkeys.add(
            try rules.register(RegistrationAnswer(object), challenge: challenge), name: "Phone", to: account,
            relyingParty: "localhost", redeeming: ticket(challenge))
        var passkey = passkey
        passkey.userHandle = try await accounts.passkeys.userHandle(of: account)
        return passkey
    }

    private func use(_ passkey: TestPasskey, _ challenge: [UInt8] = PasskeyOptions.challenge()) async throws
        -> UserAccount
    {
        let text = passkey.assertion(Base64URL.encode(challenge))
        let object = try #require(try JSONParser.parse(Array(text.utf8)).object)
        return try await accounts.passkeys.use(
            AssertionAnswer(object), challenge: challenge, rules: rules, redeeming: ticket(challenge)
        ).account
    }

    @Test("A passkey signs in its account, and notes counter and time") func signsIn() async throws {
        let account = try await accounts.users.create(email: "a@example.com", emailVerified: false)
        #expect(
            try await accounts.passkeys.userHandle(of: account) == accounts.passkeys.userHandle(of: account))
        var passkey = try await add(TestPasskey(), to: account)
        #expect(try await accounts.passkeys.all(of: account).map(\.lastUsed) == [nil])
        passkey.signCount = 5
        #expect(try await use(passkey).id == account.id)
        #expect(try await accounts.passkeys.all(of: account).first?.lastUsed != nil)
        await #expect(throws: PasskeyRefusal.fault(.counter)) { try await use(passkey) }
        passkey.signCount = 6
        #expect(try await use(passkey).id == account.id)
        _ = try await accounts.browserLogins.create(account: account, persistent: false)
    }

    @Test("A challenge is good for one answer, and other faults leave it") func refusals() async throws {
        let account = try await accounts.users.create(email: "a@example.com")
        let other = try await accounts.users.create(email: "b@example.com")
        let passkey = try await add(TestPasskey(), to: account)
        let challenge = PasskeyOptions.challenge()
        var foreign = passkey
        foreign.userHandle = try await accounts.passkeys.userHandle(of: other)
        await #expect(throws: PasskeyRefusal.fault(.userHandle)) { try await use(foreign, challenge) }
        await #expect(throws: PasskeyRefusal.unknown) { try await use(TestPasskey(id: 1), challenge) }
        #expect(try await use(passkey, challenge).id == account.id)
        await #expect(throws: PasskeyRefusal.used) { try await use(passkey, challenge) }
        await #expect(throws: PasskeyRefusal.taken) { try await add(TestPasskey(), to: other) }
        _ = try await accounts.users.setDisabled(true, email: account.idText)
        await #expect(throws: PasskeyRefusal.disabled) { try await use(passkey) }
    }

    @Test("An account has at most twenty passkeys") func most() async throws {
        let account = try await accounts.users.create(email: "a@example.com")
        for id in 1...Passkey.mostPerAccount { try await add(TestPasskey(id: UInt8(id)), to: account) }
        await #expect(throws: PasskeyRefusal.tooMany) { try await add(TestPasskey(id: 99), to: account) }
        #expect(try await accounts.passkeys.others(than: "localhost") == nil)
        #expect(try await accounts.passkeys.others(than: "example.org")?.count == Passkey.mostPerAccount)
    }

    @Test("The last way in stays, also if two are removed at once") func lastWay() async throws {
        let account = try await accounts.users.create(email: "a@example.com")
        try await add(TestPasskey(id: 1), to: account)
        try await add(TestPasskey(id: 2), to: account)
        let keys = try await accounts.passkeys.all(of: account).map(\.key)
        let passkeys = accounts.passkeys
        let removed = await withTaskGroup(of: Bool.self) { group in
            for key in keys { group.addTask { (try? await passkeys.remove(key, of: account)) ?? false } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(removed == 1)
        let left = try #require(try await accounts.passkeys.all(of: account).first)
        let error = await #expect(throws: ServerError.self) { try await passkeys.remove(left.key, of: account) }
        #expect(error?.code == .conflict && error?.cause == .credentials(.lastWayIn))
        _ = try await accounts.users.setPassword("correct horse", email: account.idText)
        #expect(try await passkeys.remove(left.key, of: account))
        #expect(try await accounts.users.waysIn(account) == WaysIn(hasPassword: true, identities: 0, passkeys: 0))
    }

    @Test("A passkey is renamed by its account only, within 64 characters") func names() async throws {
        let account = try await accounts.users.create(email: "a@example.com")
        let other = try await accounts.users.create(email: "b@example.com")
        try await add(TestPasskey(), to: account)
        let key = try #require(try await accounts.passkeys.all(of: account).first).key
        #expect(try await !accounts.passkeys.rename(key, to: "Mine", of: other))
        #expect(try await !accounts.passkeys.remove(key, of: other))
        #expect(try await accounts.passkeys.rename(key, to: String(repeating: "é", count: 64), of: account))
        for name in ["", " ", String(repeating: "a", count: 65), "a\u{0}b"] {
            let error = await #expect(throws: ServerError.self) {
                try await accounts.passkeys.rename(key, to: name, of: account)
            }
            #expect(error?.code == .badRequest)
        }
    }
}
