import CloudEngine
import CloudModel
import CloudSQL
import Foundation
import TestStore
import Testing

@testable import CloudAccounts

/// Whose account a person at a provider has.
@Suite(.timeLimit(.minutes(5)))
struct IdentitySignInTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    private func person(
        _ subject: String = "s", _ email: String? = nil, proven: Bool = false
    ) -> ProvenPerson {
        var person = ProvenPerson(provider: "id", issuer: "https://id.example", subject: subject)
        (person.email, person.isAddressProven) = (email, proven)
        return person
    }

    private var ticket: SignInTicket {
        SignInTicket(state: UUID().uuidString, expires: accounts.now() + .seconds(600))
    }

    private func signIn(
        _ person: ProvenPerson, _ verdict: SignInAdmission.Verdict = .admitted, _ ticket: SignInTicket? = nil
    ) async throws -> IdentitySignIn {
        try await accounts.identities.signIn(person, admitting: verdict, redeeming: ticket ?? self.ticket)
    }

    private func account(_ outcome: IdentitySignIn) throws -> UserAccount {
        guard case .signedIn(let account, _) = outcome else {
            Issue.record("\(outcome)")
            throw CancellationError()
        }
        return account
    }

    @Test("Two first sign-ins at once end in one account") func atOnce() async throws {
        let found = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 { group.addTask { try account(await signIn(person("s", "a@example.com"))).id } }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        #expect(try await accounts.users.all().count == 1)
    }

    @Test("A state signs in once") func state() async throws {
        let ticket = ticket
        guard case .signedIn(_, let login) = try await signIn(person(), .admitted, ticket) else { return }
        #expect(try await accounts.browserLogins.find(login.token) != nil)
        #expect(try await signIn(person(), .admitted, ticket) == .refused(.used))
    }

    @Test("A known identity signs in whatever the rule says, unless the account is disabled") func known() async throws
    {
        let first = try account(await signIn(person()))
        #expect(try account(await signIn(person(), .refused(.nobody))).id == first.id)
        _ = try await accounts.users.setDisabled(true, email: first.idText)
        #expect(try await signIn(person()) == .refused(.disabled))
    }

    @Test("Subjects are compared with case") func subjects() async throws {
        #expect(try account(await signIn(person("a"))).id != account(await signIn(person("A"))).id)
    }

    @Test("A confirmed address is its owner's: a provider that is the authority asks, others leave it out")
    func confirmed() async throws {
        let owner = try await accounts.users.create(email: "a@example.com")
        _ = try await accounts.users.setPassword("correct horse", email: "a@example.com")
        guard case .ownsAddress(let asked) = try await signIn(person("s", "A@example.com", proven: true)) else {
            Issue.record("nobody was asked")
            return
        }
        #expect(asked.id == owner.id)
        let other = try account(await signIn(person("t", "a@example.com")))
        #expect(other.id != owner.id && other.email == nil)
    }

    @Test("An unconfirmed account is never linked: who proves the address gets a fresh account") func hijack()
        async throws
    {
        _ = try await accounts.registrations.begin(
            email: "a@example.com", password: "thief's long word", givenName: nil, familyName: nil)
        let thief = try #require(try await accounts.users.find(email: "a@example.com"))
        let owner = try account(await signIn(person("s", "a@example.com", proven: true)))
        #expect(owner.id != thief.id && owner.emailVerified && !owner.hasPassword)
        #expect(try await accounts.users.find(email: "a@example.com", password: "thief's long word") == nil)
    }

    @Test("A provider that is no authority takes no unconfirmed address") func unproven() async throws {
        let holder = try await accounts.users.create(email: "a@example.com", emailVerified: false)
        #expect(try account(await signIn(person("s", "a@example.com"))).email == nil)
        #expect(try await accounts.users.find(email: "a@example.com")?.id == holder.id)
    }

    @Test("Confirming by a provider ends sessions, password and connections made before") func confirming() async throws
    {
        let first = try account(await signIn(person("s", "a@example.com")))
        _ = try await accounts.users.setPassword("correct horse", email: first.idText)
        #expect(try await accounts.identities.connect(person("other"), to: first.id, redeeming: ticket) == nil)
        let before = try await accounts.browserLogins.create(account: first, persistent: true)
        let now = try account(await signIn(person("s", "a@example.com", proven: true)))
        #expect(now.id == first.id && now.emailVerified && !now.hasPassword)
        #expect(try await accounts.browserLogins.find(before) == nil)
        #expect(try await accounts.identities.all(of: now).map(\.subject) == ["s"])
    }

    @Test("An account that an operator made and nobody used is its owner's at the first sign-in") func invited()
        async throws
    {
        let made = try await accounts.users.create(email: "a@example.com")
        #expect(try await signIn(person("s", "b@example.com", proven: true), .onlyInvited) == .refused(.admission(nil)))
        #expect(
            try await signIn(person("s", "a@example.com", proven: true), .refused(.nobody))
                == .refused(.admission(.nobody)))
        #expect(try account(await signIn(person("s", "a@example.com", proven: true), .onlyInvited)).id == made.id)
        guard case .ownsAddress = try await signIn(person("t", "a@example.com", proven: true), .onlyInvited) else {
            Issue.record("a used account was taken")
            return
        }
    }

    @Test("An operator's account is not taken by its address") func operators() async throws {
        _ = try await accounts.users.create(email: "a@example.com")
        _ = try await accounts.operators.add(email: "a@example.com", role: .owner)
        guard case .ownsAddress = try await signIn(person("s", "a@example.com", proven: true)) else {
            Issue.record("the operator's account was taken")
            return
        }
    }

    @Test("A relay's address is not put on the account") func relay() async throws {
        var person = person("s", "x@privaterelay.appleid.com", proven: true)
        person.isRelayAddress = true
        let account = try account(await signIn(person))
        #expect(account.email == nil)
        #expect(try await accounts.identities.all(of: account).first?.email == "x@privaterelay.appleid.com")
    }

    @Test("An identity of another account is not connected, nor more than 20") func connecting() async throws {
        let (one, other) = (try account(await signIn(person("a"))), try account(await signIn(person("b"))))
        #expect(try await accounts.identities.connect(person("a"), to: other.id, redeeming: ticket) == .otherAccount)
        let used = ticket
        #expect(try await accounts.identities.connect(person("a"), to: one.id, redeeming: used) == nil)
        #expect(try await accounts.identities.connect(person("c"), to: one.id, redeeming: used) == .used)
        for number in 1..<PersonIdentity.mostPerAccount {
            #expect(try await accounts.identities.connect(person("a\(number)"), to: one.id, redeeming: ticket) == nil)
        }
        #expect(try await accounts.identities.connect(person("c"), to: one.id, redeeming: ticket) == .tooMany)
    }

    @Test("The last way in stays, also when two are removed at once") func disconnecting() async throws {
        let one = try account(await signIn(person("a")))
        #expect(try await accounts.identities.connect(person("b"), to: one.id, redeeming: ticket) == nil)
        let keys = try await accounts.identities.all(of: one).map(\.key)
        #expect(try await !accounts.identities.disconnect("other", from: one.id))
        await withTaskGroup(of: Void.self) { group in
            for key in keys { group.addTask { _ = try? await accounts.identities.disconnect(key, from: one.id) } }
        }
        #expect(try await accounts.identities.all(of: one).count == 1)
    }
}
