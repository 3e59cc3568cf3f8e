import CloudAccounts
import CloudModel
import TestStore
import Testing

struct RegistrationTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    private func register(_ password: String) async throws -> Registration {
        try await accounts.registrations.begin(
            email: "a@example.com", password: password, givenName: "A", familyName: nil)
    }

    @Test("An unverified address finds no user until it is confirmed") func unverified() async throws {
        let container = try await accounts.containers.create(name: "c")
        let registration = try await register("battery staple")
        let account = try #require(try await accounts.users.find(email: "a@example.com"))
        #expect(!account.emailVerified)
        _ = try await accounts.people.recordName(account: account.id, container: container.id)
        #expect(try await accounts.people.users([.email("a@example.com")], container: container.id) == [nil])
        let outcome = try await accounts.registrations.confirm(
            id: registration.id, code: try #require(registration.code))
        guard case .confirmed(let confirmed) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(confirmed.id == account.id)
        #expect(
            try await accounts.people.users([.email("A@example.com")], container: container.id).first??.givenName == "A"
        )
    }

    /// Whoever began first with an address that is not theirs keeps no way into it.
    @Test("The person who enters the code gets a fresh account") func proof() async throws {
        let container = try await accounts.containers.create(name: "c")
        let squatter = try await register("squatter's own")
        let session = try await accounts.sessions.create(
            email: "a@example.com", container: container, environment: .production, allowsUnconfirmed: true)
        let owner = try await register("owner's own")
        let outcome = try await accounts.registrations.confirm(id: owner.id, code: try #require(owner.code))
        guard case .confirmed(let account) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(account.emailVerified)
        #expect(try await accounts.reader().session(session.token) == nil)
        #expect(try await accounts.users.find(email: "a@example.com", password: "squatter's own") == nil)
        #expect(try await accounts.users.find(email: "a@example.com", password: "owner's own")?.id == account.id)
        #expect(
            try await accounts.people.recordName(account: account.id, container: container.id) != session.userRecordName
        )
        #expect(try await accounts.registrations.confirm(id: squatter.id, code: try #require(squatter.code)) == .gone)
    }

    @Test("Registering again with the same password keeps the account") func registeredAgain() async throws {
        _ = try await register("battery staple")
        let first = try await accounts.users.find(email: "a@example.com")
        let again = try await register("battery staple")
        guard
            case .confirmed(let account) = try await accounts.registrations.confirm(
                id: again.id, code: try #require(again.code))
        else { return #expect(Bool(false)) }
        #expect(account.id == first?.id)
    }

    @Test("A verified address gets no confirmation code") func verified() async throws {
        _ = try await accounts.users.create(email: "A@example.com")
        let registration = try await register("battery staple")
        #expect(registration.code == nil)
        #expect(try await accounts.registrations.confirm(id: registration.id, code: "") == .wrong(attemptsLeft: 4))
        #expect(try await accounts.users.find(email: "a@example.com", password: "battery staple") == nil)
    }

    @Test("A code is good for its own registration only") func otherCode() async throws {
        let first = try await register("battery staple")
        let second = try await register("battery staple")
        #expect(
            try await accounts.registrations.confirm(id: first.id, code: try #require(second.code))
                == .wrong(attemptsLeft: 4))
        #expect(try await accounts.registrations.confirm(id: "unknown", code: try #require(first.code)) == .gone)
    }
}
