@testable import CloudAccounts
import CloudEngine
import CloudModel
import TestEngine
import TestStore
import Testing

/// Rest of those who look at the accounts again and again.
@Suite(.timeLimit(.minutes(5)))
struct AccountWritesTests {
    @Test(
        "A resting task is woken by another program's write", .enabled(if: !ChosenEngine.isPostgres, "a file's writes"))
    func anotherProgram() async throws {
        let fixture = try AccountFixture()
        let server = try fixture.open()
        let writes = AccountWrites(longestCommit: .zero, longestRest: .seconds(3600))
        let (told, source) = AsyncStream<Void>.makeStream()
        let teller = fixture.folder.engine.opener.writesOfAccounts(fixture.folder.accountsFile) {
            #expect($0)
            writes.note(isTold: $0)
            source.yield()
        }
        #expect(teller != nil)
        async let rested: Void = writes.wait()
        while writes.resting == 0 { await Task.yield() }
        let command = try fixture.open()
        _ = try await command.containers.create(name: "iCloud.com.example.other")
        await rested
        #expect(await told.first { _ in true } != nil)
        try command.close()
        try server.close()
    }

    @Test("No task rests where writes are not announced") func notTold() async {
        let writes = AccountWrites(longestCommit: .zero, longestRest: .seconds(3600))
        async let rested: Void = writes.wait()
        while writes.resting == 0 { await Task.yield() }
        writes.note(isTold: false)
        await rested
        await writes.wait()
    }
}
