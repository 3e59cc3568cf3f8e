@testable import CloudEngine
@testable import CloudAccounts
import CloudModel
import Foundation
import TestStore
import Testing

struct AccountFileTests {
    let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    @Test("A database file of a newer version is refused") func newerVersion() throws {
        let known = AccountMigrations.all(in: fixture.folder)
        try fixture.open().database.pool.migrate(known + [Migration("99-from-the-future") { _ in }])
        let error = #expect(throws: NewerDatabase.self) { try fixture.open() }
        #expect(error?.description.contains("newer version") == true)
        #expect(error?.description.contains("99-from-the-future") == true)
    }

    @Test("A process reads containers that another process created") func otherProcess() async throws {
        _ = try await fixture.open().containers.create(name: "c")
        #expect(try await fixture.open().containers.all().map(\.name) == ["c"])
    }

    @Test("The next request sees every change of another process") func freshness() async throws {
        let (accounts, other) = (try fixture.open(), try fixture.open())
        var last = try await accounts.reader().revision
        for number in 0..<200 {
            if number.isMultiple(of: 2) {
                _ = try await other.containers.create(name: "c")
                #expect(try await accounts.reader().container(named: "c") != nil)
            } else {
                _ = try await other.containers.delete(name: "c")
                #expect(try await accounts.reader().container(named: "c") == nil)
            }
            let revision = try await accounts.reader().revision
            // What is made was not remembered as missing, so nothing has to be forgotten.
            #expect(number.isMultiple(of: 2) ? revision == last : revision > last)
            // A log that begins anew is no change.
            if number.isMultiple(of: 10) { try other.database.pool.checkpoint() }
            #expect(try await accounts.reader().revision == revision)
            last = revision
        }
    }

    /// A request's lookups keep their thread; lists do not, and need one to be done.
    @Test("Account lookups and long account lists run at the same time", .timeLimit(.minutes(20)))
    func concurrentReads() async throws {
        let accounts = try fixture.open()
        _ = try await accounts.containers.create(name: "c")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    for _ in 0..<4 {
                        let session = try await accounts.reader().session("none\(number)")
                        let containers = try await accounts.containers.all()
                        #expect(session == nil && containers.count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Several processes can open an empty data folder at once") func emptyFolder() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask { _ = try await fixture.open().containers.create(name: "c\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.open().containers.all().count == 8)
    }

    @Test("Extending a session does not invalidate the cache") func prolonging() async throws {
        let accounts = try fixture.open()
        let container = try await accounts.containers.create(name: "c")
        _ = try await accounts.users.create(email: "a@example.com")
        let token = try await accounts.sessions.create(
            email: "a@example.com", container: container, environment: .production
        ).token
        let before = try await accounts.reader().revision
        fixture.pass(seconds: 100)
        accounts.sessions.slide(try #require(try await accounts.reader().session(token)))
        try await accounts.writeUses()
        #expect(try await accounts.reader().revision == before)
        _ = try await accounts.containers.delete(name: "c")
        #expect(try await accounts.reader().revision > before)
    }

    @Test("Session uses are written in batches, and never overwrite a later use of another server")
    func uses() async throws {
        let (accounts, other) = (try fixture.open(), try fixture.open())
        let container = try await accounts.containers.create(name: "c")
        _ = try await accounts.users.create(email: "a@example.com")
        var tokens: [String] = []
        for _ in 0...NotedUses.mostWritten {
            tokens.append(
                try await accounts.sessions.create(
                    email: "a@example.com", container: container, environment: .production
                ).token)
        }
        fixture.pass(seconds: 100)
        for token in tokens { accounts.sessions.slide(try #require(try await accounts.reader().session(token))) }
        fixture.pass(seconds: 100)
        other.sessions.slide(try #require(try await other.reader().session(tokens[0])))
        try await other.writeUses()
        try await accounts.writeUses()
        let used = Set(try await accounts.sessions.list(email: "a@example.com", container: nil).map(\.lastUsed))
        #expect(used.count == 2, "the one that another server saw later, and the others")
    }

    @Test("A secret is the same in every process") func sharedSecret() async throws {
        #expect(try await fixture.open().secrets.key(for: "a") == fixture.open().secrets.key(for: "a"))
        #expect(try await fixture.open().secrets.key(for: "a") != fixture.open().secrets.key(for: "b"))
    }

    @Test("A file lock has one holder, and is released with it") func lock() throws {
        var first: FileLock? = try FileLock(path: fixture.folder.lockFile, wait: false)
        #expect(first != nil)
        #expect(throws: FileLock.Held.self) { try FileLock(path: fixture.folder.lockFile, wait: false) }
        first = nil
        _ = try FileLock(path: fixture.folder.lockFile, wait: false)
    }

    @Test("A released lock is free though a child process inherited its descriptor")
    func inheritedLock() throws {
        var first: FileLock? = try FileLock(path: fixture.folder.lockFile, wait: false)
        // What a process that is being started has until it becomes another program.
        let copy = dup(try #require(first).descriptor)
        defer { close(copy) }
        first = nil
        _ = try FileLock(path: fixture.folder.lockFile, wait: false)
    }
}
