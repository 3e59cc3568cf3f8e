import CloudAccounts
import CloudModel
import TestStore
import Testing

struct ContainerTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    @Test(
        "A valid container name is accepted",
        arguments: ["iCloud.com.example.app", "a", "A-b_c.9", String(repeating: "x", count: 255)])
    func goodName(_ name: String) async throws {
        #expect(try await accounts.containers.create(name: name).name == name)
    }

    @Test(
        "An invalid container name is refused",
        arguments: ["", "a/b", "a b", "ä", "a\u{0}", "../x", "a'b", String(repeating: "x", count: 256)])
    func badName(_ name: String) async throws {
        let error = await #expect(throws: ServerError.self) { try await accounts.containers.create(name: name) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason.contains("1 to 255") == true)
    }

    @Test("A second container of a name is refused") func duplicate() async throws {
        _ = try await accounts.containers.create(name: "c")
        let error = await #expect(throws: ServerError.self) { try await accounts.containers.create(name: "c") }
        #expect(error?.code == .exists)
    }

    @Test("Ensuring a container twice creates one") func ensuredTwice() async throws {
        let first = try await accounts.containers.ensure(name: "c")
        let second = try await accounts.containers.ensure(name: "c")
        #expect(first == second)
    }

    @Test("A deleted container's id is not reused") func deletedID() async throws {
        let first = try await accounts.containers.create(name: "c")
        _ = try await accounts.containers.delete(name: "c")
        let second = try await accounts.containers.create(name: "c")
        #expect(second.id > first.id)
    }

    @Test("Each switch of a container changes by itself") func switches() async throws {
        _ = try await accounts.containers.create(name: "c")
        let changed = try await accounts.containers.update(
            name: "c", justInTimeSchema: false, strictIndexes: nil, discoverableUsers: nil)
        #expect(!changed.justInTimeSchema)
        #expect(!changed.strictIndexes)
        #expect(changed.discoverableUsers)
        #expect(try await accounts.reader().container(named: "c") == changed)
    }

    @Test("Another process sees a container's changes at once") func otherProcess() async throws {
        _ = try await accounts.containers.create(name: "c")
        let other = try fixture.open()
        #expect(try await other.reader().container(named: "c")?.strictIndexes == false)
        _ = try await accounts.containers.update(
            name: "c", justInTimeSchema: nil, strictIndexes: true, discoverableUsers: nil)
        #expect(try await other.reader().container(named: "c")?.strictIndexes == true)
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await other.reader().container(named: "c") == nil)
    }

    @Test("Every container has a secret of its own") func ownSecret() async throws {
        let first = try await accounts.secrets.key(of: try await accounts.containers.create(name: "a"))
        let second = try await accounts.secrets.key(of: try await accounts.containers.create(name: "b"))
        #expect(first != nil && first != second)
    }
}
