import CloudAccounts
import TestCloud
import Synchronization
import TestEngine
import Testing

/// Looking at the console writes nothing to the accounts but the audit log.
@Suite(.timeLimit(.minutes(10)))
struct ConsoleLookTests {
    private static let paths =
        [
            "", "/data", "/container", "/schema/type", "/nothing", "/schema", "/schema/text", "/schema/history",
            "/people", "/sign-in", "/shares", "/push", "/requests",
            "/queries", "/settings",
        ].map { "/console" + $0 }
        + ["credentials", "operators", "pages", "backups", "audit"].map { "/console/settings/" + $0 }

    private static func status(_ path: String) -> Int { path.hasSuffix("/nothing") ? 404 : 200 }

    private final class Writes: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func note() { number.withLock { $0 += 1 } }
    }

    private let writes = Writes()

    private var engine: TestEngine { TestEngine(onAccountsWrite: { [writes] in writes.note() }) }

    @Test("Viewing every page ten times writes nothing to the store")
    func looks() async throws {
        let engine = TestEngine(onWrite: { [writes] in if !$0.contains("audit") { writes.note() } })
        try await TestServer.run(engine: engine) { server in
            let app = try await server.signIn("mei@example.com")
            #expect(try await app.get("private/zones/list").status == 200)
            let visitor = WebVisitor(server)
            // The first look at an environment makes its database.
            for path in Self.paths { #expect(try await visitor.open(path).status == Self.status(path), "\(path)") }
            for path in Self.paths {
                let before = writes.count
                for _ in 0..<10 { #expect(try await visitor.open(path).status == Self.status(path), "\(path)") }
                #expect(writes.count == before, "\(path)")
            }
        }
    }

    @Test("Codes to reset a password are written by themselves, without a key for each")
    func resets() async throws {
        try await TestServer.run(engine: engine) { server in
            _ = try await server.signIn("mei@example.com")
            _ = try await server.accounts.passwordResets.begin(email: "mei@example.com")
            let before = writes.count
            _ = try await server.accounts.passwordResets.begin(email: "mei@example.com")
            #expect(writes.count == before + 1)
            // An unknown reset writes nothing.
            #expect(
                try await server.accounts.passwordResets.finish(id: "none", code: "1", password: "x y z 1 2 3") == .gone
            )
            #expect(writes.count == before + 1)
        }
    }
}
