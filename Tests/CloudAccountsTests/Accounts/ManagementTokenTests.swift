import CloudAccounts
import CloudEngine
import CloudModel
import Foundation
import TestStore
import Testing

struct ManagementTokenTests {
    let fixture: AccountFixture
    let accounts: AccountStore

    init() throws {
        fixture = try AccountFixture()
        accounts = try fixture.open()
    }

    @Test("Every process finds a management token by its text until it is revoked") func lifetime() async throws {
        _ = try await accounts.containers.create(name: "c")
        let (text, token) = try await accounts.managementTokens.create(container: "c", name: "ci")
        #expect(text.wholeMatch(of: #/cm_[0-9a-f]{64}/#) != nil)
        #expect(token.container == "c" && token.expires == nil && text.hasPrefix(token.hint))
        let other = try fixture.open()
        #expect(try await other.managementTokens.find(text) == token)
        #expect(try await other.managementTokens.find(text + " ") == nil)
        try await accounts.managementTokens.revoke(id: token.id)
        #expect(try await other.managementTokens.find(text) == nil)
        let error = await #expect(throws: ServerError.self) {
            try await accounts.managementTokens.revoke(id: token.id)
        }
        #expect(error?.code == .notFound)
    }

    @Test("A management token expires") func expiry() async throws {
        let (text, _) = try await accounts.managementTokens.create(container: nil, name: "ci", lifetime: .seconds(60))
        fixture.pass(seconds: 59)
        #expect(try await accounts.managementTokens.find(text)?.container == nil)
        #expect(try await accounts.managementTokens.list().count == 1)
        fixture.pass(seconds: 1)
        #expect(try await accounts.managementTokens.find(text) == nil)
        #expect(try await accounts.managementTokens.list().isEmpty)
    }

    @Test("A management token is deleted with its container") func containerDeletion() async throws {
        _ = try await accounts.containers.create(name: "c")
        let (text, _) = try await accounts.managementTokens.create(container: "c", name: "ci")
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await accounts.managementTokens.find(text) == nil)
        let error = await #expect(throws: ServerError.self) {
            try await accounts.managementTokens.create(container: "c", name: "ci")
        }
        #expect(error?.code == .notFound)
    }

    @Test("The data folder does not contain a management token's text") func storedText() async throws {
        let (text, _) = try await accounts.managementTokens.create(container: nil, name: "ci")
        let secret = Data(text.utf8.suffix(40))
        for file in try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) {
            let data = FileManager.default.contents(atPath: fixture.folder.path + "/" + file) ?? Data()
            #expect(data.range(of: secret) == nil, "\(file)")
        }
    }

    @Test("The holder of the folder's lock stores its address there") func lockHolder() throws {
        let path = fixture.folder.lockFile
        #expect(FileLock.note(at: path) == "")
        let lock = try FileLock(path: path, wait: false)
        try lock.note("http://127.0.0.1:8080")
        #expect(FileLock.note(at: path) == "http://127.0.0.1:8080")
        try lock.note("command")
        #expect(FileLock.note(at: path) == "command")
        try lock.note("")
        #expect(FileLock.note(at: path) == "")
    }
}
