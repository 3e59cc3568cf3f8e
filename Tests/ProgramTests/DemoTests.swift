import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `make demo`, played with the programs these tests were built with.
struct DemoTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    private static let script = root.appending(path: "Scripts/demo.sh").standardizedFileURL.path()
    private static let programs = Program.executable.deletingLastPathComponent().path()
    /// What each link answers somebody nobody knows, in the order they are printed.
    private static let statuses = [200, 403, 200, 200, 403]

    @Test func aServerCanBePlayedToAgainAndAgain() async throws {
        let program = try Program()
        let server = try await RunningServer(program, "--dev")
        let port = try server.port
        let outcome = try await program.bash(
            """
            export CUMULUS_DATA='\(program.data)'
            '\(Self.script)' '\(Self.programs)' \(port)
            '\(Self.script)' '\(Self.programs)' \(port)
            """)
        #expect(outcome.status == 0, "\(outcome.output.suffix(3000))\n\(outcome.errors)")
        #expect(outcome.output.matches(of: /All as it should be/).count == 2)
        #expect(outcome.output.contains("The links work while your server runs."))
        let links = Self.links(in: outcome.output)
        try #require(links.count == 10)
        #expect(try await Self.statuses(of: links.suffix(5)) == Self.statuses)
        // What an earlier run shared went with its zones; the trip is the same one.
        #expect(try await Self.statuses(of: links.prefix(5)) == [200, 404, 404, 404, 404])
        #expect(await server.stop() == 0)
    }

    @Test func atATerminalTheLinksWorkUntilReturn() async throws {
        let program = try Program()
        let terminal = try PseudoTerminal()
        let descriptor = terminal.program.fileDescriptor
        let child = try ChildProcess(
            URL(filePath: Self.script), [Self.programs, "0"],
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": program.folder.path()],
            streams: (descriptor, descriptor, descriptor), bound: Program.bound)
        try terminal.program.close()
        var text = ""
        for await chunk in terminal.output {
            text += chunk
            if text.contains("until you press Return") { break }
        }
        let links = Self.links(in: text)
        try #require(links.count == 5, "\(text.suffix(3000))")
        #expect(try await Self.statuses(of: links) == Self.statuses)
        try terminal.type("\n")
        #expect(await child.end() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder.path()).isEmpty)
        await #expect(throws: URLError.self) { try await Self.statuses(of: links) }
    }

    @Test func withoutATerminalTheServerEndsWithTheDemo() async throws {
        let program = try Program()
        let outcome = try await program.bash("'\(Self.script)' '\(Self.programs)' 0")
        #expect(outcome.status == 0, "\(outcome.output.suffix(3000))\n\(outcome.errors)")
        #expect(outcome.output.contains("The server of this demo ends with it."))
        await #expect(throws: URLError.self) { try await Self.statuses(of: Self.links(in: outcome.output)) }
    }

    private static func links(in text: String) -> [URL] {
        text.matches(of: /http:\/\/[0-9.:]+\/share\/[^\s\u{1B}]+/).compactMap { URL(string: String($0.output)) }
    }

    private static func statuses(of links: some Collection<URL>) async throws -> [Int] {
        var statuses: [Int] = []
        for link in links {
            let (_, response) = try await URLSession.shared.data(from: link)
            statuses.append((response as? HTTPURLResponse)?.statusCode ?? 0)
        }
        return statuses
    }
}
