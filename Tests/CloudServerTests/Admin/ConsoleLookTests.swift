import CloudServer
import CloudStore
import Foundation
import TestEngine
import Testing

/// Looking at the console writes nothing to the accounts.
@Suite(.timeLimit(.minutes(10)), .enabled(if: !ChosenEngine.isPostgres, "looks at SQLite's files"))
struct ConsoleLookTests {
    private static let paths =
        [
            "", "/data", "/schema", "/schema/text", "/schema/history", "/people", "/shares", "/push", "/requests",
            "/queries", "/settings",
        ].map { "/console" + $0 }
        + ["credentials", "operators", "pages", "backups", "audit"].map { "/console/settings/" + $0 }

    /// The bytes of the accounts' file and of its log, where each commit is.
    private static func bytes(_ folder: DataFolder) throws -> [Data] {
        try ["", "-wal"].map { try Data(contentsOf: URL(filePath: folder.accountsFile + $0)) }
    }

    @Test("Each page, ten times")
    func looks() async throws {
        try await TestServer.run { server in
            let app = try await server.signIn("mei@example.com")
            #expect(try await app.get("private/zones/list").status == 200)
            let visitor = Visitor(server)
            let before = try Self.bytes(server.folder)
            for path in Self.paths {
                for _ in 0..<10 { #expect(try await visitor.open(path).status == 200, "\(path)") }
                #expect(try Self.bytes(server.folder) == before, "\(path)")
            }
        }
    }

    @Test("A second code to reset a password, and its entry, make no key")
    func resets() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn("mei@example.com")
            let first = try await server.accounts.resetPassword(email: "mei@example.com")
            let before = try Self.bytes(server.folder)
            // Nothing is written for what is not there.
            #expect(try await server.accounts.resetPassword(id: "none", code: "1", password: "x y z 1 2 3") == .gone)
            #expect(try Self.bytes(server.folder) == before)
            #expect(first.email == "mei@example.com")
        }
    }
}
