import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import TestEngine
import TestStore
import Testing

/// Push tokens as the accounts file keeps them.
struct PushTokenTests {
    private static let lifetime = Duration.seconds(43200)

    let fixture: AccountFixture
    let accounts: AccountStore
    let other: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
        other = try fixture.open()
    }

    private func registration(
        _ email: String = "a@example.com", container: String = "c", client: String? = nil
    ) async throws -> PushRegistration {
        let container = try await accounts.containers.ensure(name: container)
        if try await accounts.users.find(email: email) == nil {
            _ = try await accounts.users.create(email: email)
        }
        let user = try await accounts.sessions.create(
            email: email, container: container, environment: .development
        ).userRecordName
        return PushRegistration(
            container: container.id, environment: .development, user: user, clientID: client,
            apnsEnvironment: .development)
    }

    private func create(_ registration: PushRegistration, most: Int = 50) async throws -> (
        text: String, outcome: PushRegistration.Outcome
    ) {
        try await accounts.pushTokens.create(for: registration, lifetime: Self.lifetime, most: most)
    }

    @Test(
        "The accounts file does not contain a push token's text",
        .enabled(if: !ChosenEngine.isPostgres, "reads the bytes of SQLite's file"))
    func storedText() async throws {
        let text = try await create(registration()).text
        #expect(text.wholeMatch(of: #/[0-9a-f]{64}/#) != nil)
        for suffix in ["", "-wal"] {
            let file = try Data(contentsOf: URL(filePath: fixture.folder.accountsFile + suffix))
            #expect(file.range(of: Data(text.utf8)) == nil)
        }
    }

    @Test("A push token registered in one more environment is valid there at once")
    func addedEnvironment() async throws {
        let text = try await create(registration()).text
        #expect(try await accounts.reader().pushToken(text)?.registrations.map(\.container.name) == ["c"])
        let second = try await registration(container: "d")
        let outcome = try await accounts.pushTokens.register(text, for: second, lifetime: Self.lifetime, most: 50)
        #expect(outcome != nil)
        #expect(try await accounts.reader().pushToken(text)?.registrations.map(\.container.name) == ["c", "d"])
    }

    @Test("A server that caches a token sees the environments and extension that another server adds")
    func otherServers() async throws {
        let text = try await create(registration()).text
        #expect(try await other.reader().pushToken(text)?.registrations.count == 1)
        fixture.pass(seconds: 3600)
        let token = try #require(try await accounts.reader().pushToken(text))
        #expect(try await accounts.pushTokens.slide(token, lifetime: Self.lifetime) != nil)
        fixture.pass(seconds: Self.lifetime.components.seconds - 1)
        let reader = try await other.reader()
        let renewed = try #require(try await reader.pushToken(text))
        #expect(reader.isGood(renewed))
        let second = try await registration(container: "d")
        _ = try await accounts.pushTokens.register(text, for: second, lifetime: Self.lifetime, most: 50)
        #expect(try await other.reader().pushToken(text)?.registrations.map(\.container.name) == ["c", "d"])
    }

    @Test("Using a push token prolongs it, with one write an hour") func prolonged() async throws {
        let text = try await create(registration()).text
        let begun = try #require(try await accounts.reader().pushToken(text)).expires
        fixture.pass(seconds: 3599)
        let early = try await accounts.pushTokens.slide(
            try #require(try await accounts.reader().pushToken(text)), lifetime: Self.lifetime)
        #expect(early == nil)
        fixture.pass(seconds: 1)
        let token = try #require(try await accounts.reader().pushToken(text))
        #expect(try await accounts.pushTokens.slide(token, lifetime: Self.lifetime) == begun + .seconds(3600))
        #expect(try await accounts.pushTokens.slide(token, lifetime: Self.lifetime) == nil)
        #expect(try await accounts.reader().pushToken(text)?.expires == begun + .seconds(3600))
        #expect(try await other.reader().pushToken(text)?.expires == begun + .seconds(3600))
    }

    @Test("An expired push token is refused and deleted") func expired() async throws {
        let first = try await registration()
        let text = try await create(first).text
        fixture.pass(seconds: Self.lifetime.components.seconds)
        let reader = try await accounts.reader()
        let expired = try #require(try await reader.pushToken(text))
        #expect(!reader.isGood(expired))
        #expect(try await accounts.pushTokens.register(text, for: first, lifetime: Self.lifetime, most: 50) == nil)
        try await accounts.pushTokens.removeExpired()
        #expect(try await accounts.reader().pushToken(text) == nil)
    }

    @Test("A client's new push token replaces its old one") func replaced() async throws {
        let phone = try await registration(client: "phone")
        let old = try await create(phone)
        let tablet = try await create(registration(client: "tablet"))
        let new = try await create(phone)
        #expect(new.outcome.predecessor == old.outcome.token)
        #expect(tablet.outcome.predecessor == nil)
        #expect(try await accounts.reader().pushToken(old.text) == nil)
        #expect(try await accounts.reader().pushToken(tablet.text) != nil)
        // Another user's client of the same name is another client.
        let others = try await create(registration("b@example.com", client: "phone"))
        #expect(others.outcome.predecessor == nil)
    }

    @Test("A replaced push token stays in other environments") func otherEnvironments() async throws {
        let old = try await create(registration(client: "phone"))
        let elsewhere = try await registration(container: "d", client: "phone")
        _ = try await accounts.pushTokens.register(old.text, for: elsewhere, lifetime: Self.lifetime, most: 50)
        _ = try await create(registration(client: "phone"))
        #expect(try await accounts.reader().pushToken(old.text)?.registrations.map(\.container.name) == ["d"])
    }

    @Test("A user's push tokens are limited") func limit() async throws {
        let first = try await registration()
        var tokens: [(text: String, outcome: PushRegistration.Outcome)] = []
        for _ in 0..<4 {
            tokens.append(try await create(first, most: 3))
            fixture.pass(seconds: 1)
        }
        #expect(tokens.map(\.outcome.dropped) == [[], [], [], [tokens[0].outcome.token]])
        var known: [Bool] = []
        for token in tokens { known.append(try await accounts.reader().pushToken(token.text) != nil) }
        #expect(known == [false, true, true, true])
    }

    @Test("A push token ends with its user or container") func end() async throws {
        let text = try await create(registration()).text
        #expect(try await other.reader().pushToken(text)?.registrations.count == 1)
        _ = try await accounts.users.setDisabled(true, email: "a@example.com")
        #expect(try await other.reader().pushToken(text)?.registrations.isEmpty == true)
        let second = try await create(registration("b@example.com")).text
        #expect(try await other.reader().pushToken(second)?.registrations.count == 1)
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await other.reader().pushToken(second)?.registrations.isEmpty == true)
    }
}
