import Foundation
import TestPostgres
import TestProcess
import Testing

/// `make demo`, played with the programs these tests were built with.
@Suite(.timeLimit(.minutes(20)))
struct DemoTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL
    private static let script = root.appending(path: "Scripts/demo.sh").path()
    private static let cumulus = Program.executable.path()
    /// A package of its own, which `make test` builds.
    private static let demo = root.appending(path: "Examples/Demo/.build/debug/cumulus-demo").path()

    private let program: Program
    private let airports: String

    init() throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.demo), "make test builds it")
        program = try Program()
        airports = try program.file("airports.csv", try Self.askedAirports()).path()
    }

    /// The command that plays the demo to the server on a port.
    private func command(port: Int) -> String {
        "'\(Self.script)' '\(Self.cumulus)' '\(Self.demo)' \(port) --airports '\(airports)'"
    }

    @Test("The demo can be repeated against one server") func repeated() async throws {
        let server = try await RunningServer(program, "--dev")
        let play = command(port: try server.port)
        let outcome = try await program.bash("export CUMULUS_DATA='\(program.data)'\n\(play)\n\(play)")
        #expect(outcome.status == 0, "\(outcome.output.suffix(3000))\n\(outcome.errors)")
        let plays = outcome.output.components(separatedBy: "All as it should be")
        try #require(plays.count == 3)
        #expect(plays[2].contains("The links work while your server runs."))
        // As many on a server that knows the devices and subscriptions of the play before.
        for play in plays.dropFirst() { #expect(play.contains("Devices were woken 10 times")) }
        let links = DemoLinks(in: plays[2])
        #expect(try await links.statuses() == DemoLinks.statuses)
        // What the first shared went with its zones; the trip is the same one.
        #expect(try await DemoLinks(in: plays[1]).statuses() == [200, 410, 410, 410, 410])
        try await links.read(at: server.origin)
        #expect(await server.stop() == 0)
    }

    @Test("At a terminal the demo's server runs until Return is pressed") func atTerminal() async throws {
        let terminal = try PseudoTerminal()
        let descriptor = terminal.program.fileDescriptor
        let child = try ChildProcess(
            URL(filePath: Self.script), [Self.cumulus, Self.demo, "0", "--airports", airports],
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": program.folder.path()],
            streams: (descriptor, descriptor, descriptor), bound: Program.bound)
        try terminal.program.close()
        var text = ""
        for await chunk in terminal.output {
            text += chunk
            if text.contains("until you press Return") { break }
        }
        let links = DemoLinks(in: text)
        try #require(links.urls.count == 5, "\(text.suffix(3000))")
        #expect(try await links.statuses() == DemoLinks.statuses)
        try terminal.type("\n")
        #expect(await child.end() == 0)
        #expect(await links.areGone())
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.folder.path()) == ["airports.csv"])
    }

    @Test("Without a terminal, the server ends with the demo; with DATABASE_URL it runs on PostgreSQL")
    func noTerminal() async throws {
        let cluster = try TestCluster.shared.get()
        let url = try cluster.makeDatabase()
        // The database belongs to the assets that it was begun with, for commands too.
        let assets = "file://\(program.folder.appending(path: "assets").path())"
        let outcome = try await program.bash(
            "export DATABASE_URL='\(url)' CUMULUS_ASSETS_URL='\(assets)'\n\(command(port: 0))")
        #expect(outcome.status == 0, "\(outcome.output.suffix(3000))\n\(outcome.errors)")
        #expect(outcome.output.contains("All as it should be"))
        #expect(outcome.output.contains("The server of this demo ends with it."))
        // A page, without requests and answers.
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 66 && !outcome.output.contains("POST /"), "\(lines.count)")
        #expect(await DemoLinks(in: outcome.output).areGone())
        let containers = try await program.run(
            ["container", "list"], environment: ["CUMULUS_DATABASE_URL": url, "CUMULUS_ASSETS_URL": assets])
        #expect(containers.output.contains("iCloud.com.example.shopping"), "\(containers)")
    }

    @Test("The demo refuses a server without --dev and leaves it unchanged")
    func otherServer() async throws {
        let server = try await RunningServer(program)
        let outcome = try await program.bash(
            "export CUMULUS_DATA='\(program.data)'\n\(command(port: try server.port))")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("signing in, as a server started with --dev lets anybody"))
        #expect(try await program("container", "list").output == "There are no containers yet.\n")
        #expect(await server.stop() == 0)
    }

    @Test("The demo stops and names CUMULUS_DATA when the server's data is in another folder")
    func otherFolder() async throws {
        let server = try await RunningServer(program, "--dev")
        let outcome = try await program.bash(
            "export CUMULUS_DATA='\(program.data)-other'\n\(command(port: try server.port))")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("CUMULUS_DATA=DIR make demo"))
        #expect(await server.stop() == 0)
    }

    /// Those airports that the play asks about, a hundred or so.
    private static func askedAirports() throws -> String {
        let all = try String(contentsOf: root.appending(path: "Samples/airports.csv"), encoding: .utf8)
        let lines = all.split(separator: "\r\n")
        let asked = lines.dropFirst().filter { line in
            [",NP,", ",CH,", ",San "].contains(where: line.contains) || line.hasPrefix("JFK,") || line.hasPrefix("BSL,")
        }
        return (lines.prefix(1) + asked).joined(separator: "\n") + "\n"
    }
}
