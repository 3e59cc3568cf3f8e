import CloudModel
import Foundation
import Testing

@testable import CloudStore

struct AccountFileTests {
    let fixture: AccountFixture

    init() throws {
        fixture = try AccountFixture()
    }

    @Test func fileOfANewerVersionIsRefused() throws {
        let known = AccountMigrations.all(in: fixture.folder)
        try fixture.open().database.pool.migrate(known + [Migration("99-from-the-future") { _ in }])
        let error = #expect(throws: NewerDatabase.self) { try fixture.open() }
        #expect(error?.description.contains("newer version") == true)
        #expect(error?.description.contains("99-from-the-future") == true)
    }

    @Test func oneProcessReadsWhatAnotherHasWritten() async throws {
        _ = try await fixture.open().containers.create(name: "c")
        #expect(try await fixture.open().containers.all().map(\.name) == ["c"])
    }

    @Test func everyChangeOfAnotherProcessIsSeenByTheNextRequest() async throws {
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
    @Test("Lookups of requests and long lists of accounts run at the same time", .timeLimit(.minutes(20)))
    func lookupsAndListsDoNotWaitForEachOther() async throws {
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

    @Test("Several processes may open an empty data folder at once") func manyMayOpenAnEmptyFolderAtOnce() async throws
    {
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask { _ = try await fixture.open().containers.create(name: "c\(number)") }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.open().containers.all().count == 8)
    }

    @Test("Prolonging a session does not invalidate what is in memory") func slidesLeaveWhatIsInMemoryAlone()
        async throws
    {
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

    @Test("Uses of many sign-ins are written in portions, and none takes back a later one of another server")
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

    @Test func aSecretIsTheSameForEveryProcess() async throws {
        #expect(try await fixture.open().secrets.key(for: "a") == fixture.open().secrets.key(for: "a"))
        #expect(try await fixture.open().secrets.key(for: "a") != fixture.open().secrets.key(for: "b"))
    }

    @Test func aLockIsHeldByOneAndFreedWithItsHolder() throws {
        var first: FileLock? = try FileLock(path: fixture.folder.lockFile, wait: false)
        #expect(first != nil)
        #expect(throws: FileLock.Held.self) { try FileLock(path: fixture.folder.lockFile, wait: false) }
        first = nil
        _ = try FileLock(path: fixture.folder.lockFile, wait: false)
    }

    @Test("A released lock is free though a child process inherited its descriptor")
    func aLockThatIsLetGoIsFreeThoughAChildHasACopyOfIt() throws {
        var first: FileLock? = try FileLock(path: fixture.folder.lockFile, wait: false)
        // What a process that is being started has until it becomes another program.
        let copy = dup(try #require(first).descriptor)
        defer { close(copy) }
        first = nil
        _ = try FileLock(path: fixture.folder.lockFile, wait: false)
    }
}
