import CloudAccounts
import CloudModel
import TestStore
import Testing

struct UserAccountTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    @Test("Addresses that differ only in case are one address") func addressCase() async throws {
        _ = try await accounts.users.create(email: "Mei@Example.com")
        #expect(try await accounts.users.find(email: "mei@example.COM")?.email == "Mei@Example.com")
        let error = await #expect(throws: ServerError.self) {
            _ = try await accounts.users.create(email: "mei@example.com")
        }
        #expect(error?.code == .exists)
    }

    @Test(
        "A text that is not an email address is refused",
        arguments: ["", "mei", "@example.com", "mei@", "a@b@c", "me i@example.com", "a\u{7}@b"])
    func wrongAddress(_ email: String) async throws {
        let error = await #expect(throws: ServerError.self) { _ = try await accounts.users.create(email: email) }
        #expect(error?.code == .badRequest)
    }

    @Test("Only the right password of an enabled account is accepted") func passwordCheck() async throws {
        _ = try await accounts.users.create(email: "a@example.com")
        #expect(try await accounts.users.find(email: "a@example.com", password: "anything") == nil)
        let account = try await accounts.users.setPassword("correct horse", email: "a@example.com")
        #expect(account.hasPassword)
        #expect(try await accounts.users.find(email: "A@example.com", password: "correct horse") != nil)
        #expect(try await accounts.users.find(email: "a@example.com", password: "correct Horse") == nil)
        #expect(try await accounts.users.find(email: "b@example.com", password: "correct horse") == nil)
        _ = try await accounts.users.setDisabled(true, email: "a@example.com")
        #expect(try await accounts.users.find(email: "a@example.com", password: "correct horse") == nil)
    }

    @Test(
        "A password that is too short or too long is refused",
        arguments: ["", "7 chars", String(repeating: "x", count: 1025)])
    func wrongPassword(_ password: String) async throws {
        _ = try await accounts.users.create(email: "a@example.com")
        await #expect(throws: ServerError.self) {
            _ = try await accounts.users.setPassword(password, email: "a@example.com")
        }
    }

    @Test(
        "A common password is refused",
        arguments: [
            "password", "PassWord", " password ", "password123", "12345678", "qwertyui", "aaaaaaaa", "        ",
            "longname@example.com", "LongName@Example.com", "longname",
        ])
    func simplePasswords(_ password: String) async throws {
        _ = try await accounts.users.create(email: "longname@example.com")
        let set = await #expect(throws: ServerError.self) {
            _ = try await accounts.users.setPassword(password, email: "longname@example.com")
        }
        #expect(set?.code == .badRequest)
        #expect(set?.reason.contains("too easy to guess") == true)
        let registered = await #expect(throws: ServerError.self) {
            _ = try await accounts.registrations.begin(
                email: "longname@example.com", password: password, givenName: nil, familyName: nil)
        }
        #expect(registered?.code == .badRequest)
        #expect(try await accounts.users.find(email: "longname@example.com")?.hasPassword == false)
    }

    @Test("Users are found by address, phone number and record name") func lookup() async throws {
        let container = try await accounts.containers.create(name: "c")
        _ = try await accounts.users.create(email: "a@example.com", givenName: "A", phone: "+1 (555) 555-0100")
        let name = try await accounts.sessions.create(
            email: "a@example.com", container: container, environment: .production
        ).userRecordName
        let found = try await accounts.people.users(
            [.email("A@EXAMPLE.com"), .phone("+15555550100"), .recordName(name), .email("b@example.com")],
            container: container.id)
        #expect(found.map { $0?.userRecordName } == [name, name, name, nil])
    }

    @Test("People outside the container, unverified or disabled, are not found")
    func hiddenUsers() async throws {
        let container = try await accounts.containers.create(name: "c")
        let emails = ["stranger@example.com", "unverified@example.com", "disabled@example.com"]
        for email in emails {
            let account = try await accounts.users.create(
                email: email, emailVerified: !email.hasPrefix("unverified"))
            guard !email.hasPrefix("stranger") else { continue }
            _ = try await accounts.people.recordName(account: account.id, container: container.id)
        }
        _ = try await accounts.users.setDisabled(true, email: "disabled@example.com")
        #expect(try await accounts.people.users(emails.map { .email($0) }, container: container.id) == [nil, nil, nil])
    }
}
