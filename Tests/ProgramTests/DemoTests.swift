import CloudModel
import Foundation
import TestBrowser
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
        try await Self.read(links.suffix(5).map(\.absoluteString), at: server.origin)
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

    /// Opens them as a stranger, then as the people of the play.
    private static func read(_ links: [String], at origin: String) async throws {
        let browser = try await TestBrowser()
        let stranger = try await browser.page()
        try await stranger.open(links[0])
        #expect(try await stranger.text.contains("Lisbon"))
        #expect(try await stranger.evaluate("document.querySelectorAll('#photos img').length") == .integer(8))
        try await stranger.screenshot("demo-trip")
        let ben = try await person("ben@example.com", at: origin, in: browser)
        try await ben.open(links[1])
        #expect(try await ben.text.contains("Tickets"))
        try await ben.screenshot("demo-note")
        try await ben.open(links[4])
        #expect(try await ben.text.contains("Our grandchildren"))
        try await ben.screenshot("demo-album")
        let anna = try await person("anna@example.com", at: origin, in: browser)
        try await anna.open(links[0])
        #expect(try await anna.text.contains("This is your link"))
        let clara = try await person("clara@example.com", at: origin, in: browser)
        try await clara.open(links[1])
        #expect(try await !clara.text.contains("Tickets"))
        try await clara.screenshot("demo-not-for-her")
    }

    /// A browser of somebody who clicked on their address.
    private static func person(
        _ email: String, at origin: String, in browser: TestBrowser
    ) async throws -> BrowserPage {
        let page = try await browser.page()
        try await page.open(origin + "/auth/signin")
        try await page.load { try await page.click("button[value='\(email)']") }
        return page
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
