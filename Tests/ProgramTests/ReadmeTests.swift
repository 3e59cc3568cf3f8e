import CloudHTTP
import CloudWire
import CloudServer
import Foundation
import TestProcess
import Testing

/// The shell and JavaScript blocks of README.md and `docs/` work as they stand there, in an empty folder.
@Suite(.timeLimit(.minutes(20)))
struct ReadmeTests {
    /// Seconds that the blocks of one page have.
    private static let bound = 300.0

    /// The languages of blocks. Those of the first line are run.
    private static let kinds: Set<String> = [
        "sh", "js", "js browser", "swift", "swift test", "sh install", "python run",
        "text", "json", "ts", "python", "yaml", "ini", "ckdb", "diff", "http", "ebnf", "nginx", "caddy",
    ]

    /// The words that show that the blocks of a page did what they say.
    private static let shown: [String: [String]] = [
        "README.md": ["Lisbon", "/share/"],
        "docs/tour.md": [
            "Groceries", "CONFLICT", "Journal", "monday", "entry-1", "READ_WRITE", "picture", "Our sunday",
        ],
        "docs/sharing.md": ["Recipes", "ACCEPTED"],
        "docs/notifications.md": ["Pancakes", "Waffles", "A good note", "https://example.com/in"],
        "docs/key-value.md": ["KSFO"],
        "docs/people.md": ["ann@example.com"],
        "docs/schema.md": ["RECORD TYPE Article", "has editor"],
        "docs/ci.md": ["is well"],
        "docs/clients.md": ["Groceries", "Pancakes"],
        "docs/backup.md": ["All is well."],
    ]

    private static let pages = (try? DocumentPage.guides.filter { !($0.shell + $0.scripts).isEmpty }.map(\.path)) ?? []

    @Test("The blocks of a page run, and those of the shell run twice", arguments: pages)
    func blocksRun(path: String) async throws {
        let page = try DocumentPage(path)
        let program = try Program()
        try FileManager.default.createDirectory(
            at: program.folder.appending(path: "node_modules"), withIntermediateDirectories: true)
        // The link that `npm install` makes.
        try FileManager.default.createSymbolicLink(
            at: program.folder.appending(path: "node_modules/cumulus-client"),
            withDestinationURL: DocumentPage.root.appending(path: "Public/client"))
        let server = try await RunningServer(program, "--dev")
        let pages = try page.before + [page]
        let shell = (["cd '\(program.folder.path())'"] + pages.flatMap(\.shell)).joined(separator: "\n\n")
        var said = ""
        for _ in 1...2 {
            let outcome = try await program.bash(shell.replacing(Self.origin, with: server.origin), bound: Self.bound)
            #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
            #expect(!outcome.errors.contains("Error:"), "\(outcome.errors)")
            // The tour shows one error, the conflict it speaks of.
            let errors = pages.contains { $0.path == "docs/tour.md" } ? 1 : 0
            #expect(outcome.output.matches(of: /serverErrorCode/).count == errors, "\(outcome.output)")
            #expect(!outcome.output.contains("/share/null"))
            said = outcome.output
        }
        if !page.scripts.isEmpty {
            let script = page.scripts.joined(separator: "\n").replacing(Self.origin, with: server.origin)
            let file = try program.file("page.mjs", script).path()
            // The server is found as under `cumulus exec`. Node ends by itself.
            let outcome = try await program.bash(
                """
                export CUMULUS_ORIGIN='\(server.origin)' CUMULUS_CONTAINER=iCloud.com.example.app
                export CUMULUS_API_TOKEN=\(DevelopmentToken.text)
                cd '\(program.folder.path())' && node '\(file)'
                """, bound: Self.bound)
            #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
            said += outcome.output
        }
        for word in Self.shown[path] ?? [] { #expect(said.contains(word), "\(word): \(said)") }
        #expect(await server.stop() == 0)
    }

    /// The address that the pages name; a server of a test has another port.
    static let origin = "http://127.0.0.1:8080"

    @Test("A page that calls cumulus explains how to put it on the PATH")
    func programIsFound() throws {
        let pages = try DocumentPage.guides.filter { page in
            page.shell.contains { $0.contains(/(?m)(?:^|[\s(])cumulus [a-z]/) }
        }
        #expect(pages.count > 8)
        for page in pages where !["README.md", "docs/commands.md"].contains(page.path) {
            #expect(page.links.contains { $0.hasSuffix("commands.md#on-the-path") }, "\(page.path)")
        }
    }

    @Test("Every block names a language, and one that is not run is listed with a reason")
    func blocksAreKnown() throws {
        let guides = try DocumentPage.guides
        for page in guides { #expect(page.kinds.isSubset(of: Self.kinds), "\(page.path): \(page.kinds)") }
        for block in UnrunBlocks.all {
            let page = guides.first { $0.path == block.page }
            let blocks = ["sh", "js", "swift"].flatMap { page?.blocks($0) ?? [] }
            #expect(blocks.contains { $0.hasPrefix(block.line) }, "\(block.page) has no block \(block.line)")
            #expect(!block.reason.isEmpty)
        }
    }

    @Test("The page on schemas deploys nothing when its import is refused")
    func refusedImport() async throws {
        let program = try Program()
        let server = try await RunningServer(program, "--dev")
        let page = try DocumentPage("docs/schema.md")
        let container = try #require(page.text.firstMatch(of: /(?m)^app=(\S+)$/)?.output.1)
        let other = try program.file(
            "other.ckdb", "DEFINE SCHEMA RECORD TYPE Kept ( title STRING, GRANT READ TO \"_world\" );")
        #expect(try await program("container", "create", String(container)).status == 0)
        for arguments in [["import", "--file", other.path()], ["deploy", "--yes"]] {
            let outcome = try await program.run(["schema", arguments[0], String(container)] + arguments.dropFirst())
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        // As at a terminal, where the next command runs whatever the one before ended with.
        let pasted = "set +e\ncd '\(program.folder.path())'\n" + page.shell.joined(separator: "\n\n")
        let outcome = try await program.bash(
            pasted.replacing(Self.origin, with: server.origin), bound: Self.bound)
        #expect(outcome.errors.contains("Kept"), "\(outcome.errors)")
        let production = try await program("schema", "export", String(container), "--environment", "production")
        #expect(production.output.contains("Kept") && !production.output.contains("Article"), "\(production.output)")
        #expect(await server.stop() == 0)
    }
}

extension DocumentPage {
    /// README.md and all pages of `docs/`.
    static var guides: [DocumentPage] {
        get throws { try all.filter { $0.path == "README.md" || $0.path.hasPrefix("docs/") } }
    }

    /// The shell blocks that are run.
    var shell: [String] { blocks("sh").filter { !UnrunBlocks.contains($0, of: self) } }

    /// The JavaScript blocks that are run in Node.
    var scripts: [String] { blocks("js").filter { !UnrunBlocks.contains($0, of: self) } }
}

extension Program {
    /// Runs a script that finds the program by its name, and stops at the first command that fails.
    ///
    /// - Parameters:
    ///   - more: variables of the environment.
    ///   - bound: seconds until it is killed.
    func bash(
        _ script: String, environment more: [String: String] = [:], bound: Double = Program.bound
    ) async throws -> Outcome {
        let file = try file("script.sh", script)
        let files = try ["bash.out", "bash.err"].map { try self.file($0, "") }
        let nothing = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        let output = try FileHandle(forWritingTo: files[0])
        let errors = try FileHandle(forWritingTo: files[1])
        let child = try ChildProcess(
            URL(filePath: "/bin/bash"), ["-euo", "pipefail", file.path()],
            environment: [
                "PATH": "\(Self.executable.deletingLastPathComponent().path()):/usr/bin:/bin", "TMPDIR": folder.path(),
            ].merging(more) { $1 },
            streams: (nothing.fileDescriptor, output.fileDescriptor, errors.fileDescriptor), bound: bound)
        return Outcome(
            status: await child.end(), output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8))
    }
}
