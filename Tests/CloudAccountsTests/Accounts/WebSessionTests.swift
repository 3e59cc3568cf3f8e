import CloudAccounts
import CloudModel
import Foundation
import TestStore
import Testing

struct WebSessionTests {
    let fixture: AccountFixture
    let accounts: AccountStore
    let other: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
        other = try fixture.open()
    }

    private func signIn(persistent: Bool = false, apiToken: Int64? = nil) async throws -> String {
        let container = try await accounts.containers.ensure(name: "c")
        if try await accounts.users.find(email: "a@example.com") == nil {
            _ = try await accounts.users.create(email: "a@example.com")
        }
        return try await accounts.sessions.create(
            email: "A@Example.com", container: container, environment: .development, apiToken: apiToken,
            persistent: persistent
        ).token
    }

    @Test("A web auth token has only characters that clients encode rightly")
    func characters() async throws {
        for _ in 0..<20 {
            let token = try await signIn()
            #expect(token.wholeMatch(of: #/1__1__[A-Za-z0-9+\/]{64}/#) != nil)
        }
    }

    @Test("A web auth token leads to its user") func user() async throws {
        let session = try #require(try await other.reader().session(try await signIn()))
        #expect(session.userRecordName.wholeMatch(of: #/_[0-9a-f]{32}/#) != nil)
        #expect(session.environment == .development)
    }

    @Test("A user has one record name in each container") func recordName() async throws {
        let first = try await accounts.reader().session(try await signIn())
        let second = try await accounts.reader().session(try await signIn())
        #expect(first?.userRecordName == second?.userRecordName)
        let elsewhere = try await accounts.containers.create(name: "d")
        let third = try await accounts.sessions.create(
            email: "a@example.com", container: elsewhere, environment: .development)
        #expect(third.userRecordName != first?.userRecordName)
    }

    @Test(
        "An unused session expires after its lifetime",
        arguments: [(false, 1800), (true, 14 * 86400)] as [(Bool, Int64)])
    func expiry(persistent: Bool, lifetime: Int64) async throws {
        let token = try await signIn(persistent: persistent)
        fixture.pass(seconds: lifetime - 1)
        #expect(try await accounts.reader().session(token) != nil)
        fixture.pass(seconds: 1)
        #expect(try await accounts.reader().session(token) == nil)
    }

    @Test("Using a session prolongs it") func prolonged() async throws {
        let token = try await signIn()
        for _ in 0..<4 {
            fixture.pass(seconds: 1000)
            let session = try #require(try await accounts.reader().session(token))
            accounts.sessions.slide(session)
        }
        fixture.pass(seconds: 1799)
        #expect(try await accounts.reader().session(token) != nil)
    }

    @Test("Using a session writes once a minute") func writes() async throws {
        let token = try await signIn()
        fixture.pass(seconds: 59)
        accounts.sessions.slide(try #require(try await accounts.reader().session(token)))
        #expect(try await other.reader().session(token)?.expires == Timestamp(wholeSeconds: 1_700_001_800))
        fixture.pass(seconds: 1)
        accounts.sessions.slide(try #require(try await accounts.reader().session(token)))
        try await accounts.writeUses()
        let fresh = try fixture.open()
        #expect(try await fresh.reader().session(token)?.expires == Timestamp(wholeSeconds: 1_700_001_860))
    }

    @Test("A session that another process prolonged has not expired") func otherProcess() async throws {
        let token = try await signIn()
        #expect(try await other.reader().session(token) != nil)
        fixture.pass(seconds: 1000)
        accounts.sessions.slide(try #require(try await accounts.reader().session(token)))
        try await accounts.writeUses()
        fixture.pass(seconds: 1000)
        #expect(try await other.reader().session(token) != nil)
    }

    @Test("A session use counts at once, survives the cache, and is written when the accounts are closed")
    func notedUse() async throws {
        let token = try await signIn()
        let account = try #require(try await accounts.users.find(email: "a@example.com"))
        let login = try await accounts.browserLogins.create(account: account, persistent: false)
        for _ in 0..<3 {
            fixture.pass(seconds: 1000)
            accounts.sessions.slide(try #require(try await accounts.reader().session(token)))
            // Whatever was remembered is forgotten.
            _ = try await accounts.containers.ensure(name: "c\(RandomUUID.make())")
            #expect(try await accounts.browserLogins.find(login) != nil)
        }
        #expect(try await other.browserLogins.find(login) == nil)
        try accounts.close()
        #expect(try await other.browserLogins.find(login) != nil)
        #expect(try await other.reader().session(token) != nil)
        fixture.pass(seconds: 1800)
        #expect(try await other.browserLogins.find(login) == nil)
    }

    @Test("Disabling a user ends their sessions for good") func disabledUser() async throws {
        let token = try await signIn()
        #expect(try await other.reader().session(token) != nil)
        _ = try await accounts.users.setDisabled(true, email: "a@example.com")
        #expect(try await other.reader().session(token) == nil)
        let error = await #expect(throws: ServerError.self) { try await signIn() }
        #expect(error?.code == .accessDenied)
        _ = try await accounts.users.setDisabled(false, email: "a@example.com")
        #expect(try await other.reader().session(token) == nil)
        #expect(try await other.reader().session(try await signIn()) != nil)
    }

    @Test("A new password ends web sessions and browser logins at once in every process")
    func newPassword() async throws {
        let token = try await signIn(persistent: true)
        let account = try #require(try await accounts.users.find(email: "a@example.com"))
        let login = try await accounts.browserLogins.create(account: account, persistent: true)
        #expect(try await other.reader().session(token) != nil)
        _ = try await accounts.users.setPassword("correct horse", email: "a@example.com")
        #expect(try await other.reader().session(token) == nil)
        #expect(try await other.browserLogins.find(login) == nil)
        #expect(try await accounts.sessions.list().isEmpty)
        #expect(try await other.reader().session(try await signIn()) != nil)
    }

    @Test("An unconfirmed address gets neither a web session nor a browser login")
    func unconfirmed() async throws {
        let container = try await accounts.containers.create(name: "c")
        let account = try await accounts.users.create(email: "b@example.com", emailVerified: false)
        let refusals = [
            await #expect(throws: ServerError.self) {
                _ = try await accounts.sessions.create(
                    email: "b@example.com", container: container, environment: .production)
            },
            await #expect(throws: ServerError.self) {
                _ = try await accounts.browserLogins.create(account: account, persistent: false)
            },
        ]
        #expect(refusals.map { $0?.code } == [.accessDenied, .accessDenied])
        let confirmed = try await accounts.users.confirmAddress(email: "b@example.com")
        #expect(confirmed.emailVerified)
        _ = try await accounts.browserLogins.create(account: account, persistent: false)
    }

    @Test("Open sessions are listed and end one by one or all together")
    func listing() async throws {
        let first = try await signIn()
        fixture.pass(seconds: 10)
        let second = try await signIn()
        let account = try #require(try await accounts.users.find(email: "a@example.com"))
        let login = try await accounts.browserLogins.create(account: account, persistent: false)
        _ = try await accounts.users.create(email: "b@example.com")
        let listed = try await other.sessions.list(email: "A@example.com")
        #expect(listed.count == 3)
        #expect(listed.map(\.container).filter { $0 == nil }.count == 1)
        #expect(try await other.sessions.list(container: "c").count == 2)
        #expect(try await other.sessions.list(email: "b@example.com").isEmpty)
        let oldest = try #require(listed.first)
        #expect(oldest.container == "c" && oldest.environment == .development && oldest.apiToken == nil)
        try await other.sessions.revoke(id: oldest.id)
        #expect(try await accounts.reader().session(first) == nil)
        #expect(try await accounts.reader().session(second) != nil)
        let browser = try #require(listed.first { $0.container == nil })
        try await other.sessions.revoke(id: browser.id)
        #expect(try await accounts.browserLogins.find(login) == nil)
        for id in [oldest.id, browser.id, "x", "b", "'"] {
            let error = await #expect(throws: ServerError.self) { try await other.sessions.revoke(id: id) }
            #expect(error?.code == .notFound)
        }
        #expect(try await other.sessions.revokeAll(email: "a@example.com") == 1)
        #expect(try await accounts.reader().session(second) == nil)
        fixture.pass(seconds: 10)
        _ = try await signIn()
        fixture.pass(seconds: 1800)
        #expect(try await other.sessions.list().isEmpty)
    }

    @Test("A session ends with its API token") func tokenRevoked() async throws {
        _ = try await accounts.containers.create(name: "c")
        let (_, apiToken) = try await accounts.apiTokens.create(
            container: "c", environment: .development, name: "web")
        let token = try await signIn(apiToken: apiToken.id)
        #expect(try await other.reader().session(token)?.apiToken == apiToken.id)
        try await accounts.apiTokens.revoke(id: apiToken.id)
        #expect(try await other.reader().session(token) == nil)
    }

    @Test("A session ends with its container") func containerDeleted() async throws {
        let token = try await signIn()
        #expect(try await other.reader().session(token) != nil)
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await other.reader().session(token) == nil)
    }
}
