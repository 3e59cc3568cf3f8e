import Foundation
import TestProcess
import Testing

/// The shell blocks of README.md and `docs/` work.
@Suite(.timeLimit(.minutes(20)))
struct ReadmeTests {
    /// The pages with blocks to run, in the order in which a reader comes to them: later ones use what earlier ones made.
    private static let guides = [
        "README.md", "docs/tour.md", "docs/sharing.md", "docs/notifications.md", "docs/key-value.md",
        "docs/commands.md", "docs/people.md", "docs/schema.md", "docs/export.md", "docs/settings.md", "docs/ci.md",
        "docs/wire/access.md",
    ]

    /// In one bash, in a folder with nothing but the samples, against a development server; and once more, with everything
    /// there that the first time made.
    @Test("Every shell block runs, and runs again over what it made")
    func blocksRunTwice() async throws {
        let program = try Program()
        try FileManager.default.createSymbolicLink(
            at: program.folder.appending(path: "Samples"),
            withDestinationURL: DocumentPage.root.appending(path: "Samples"))
        let server = try await RunningServer(program, "--dev")
        let blocks = try Self.guides.flatMap { try DocumentPage($0).blocks("sh") }
        let script = (["cd '\(program.folder.path())'"] + blocks).joined(separator: "\n\n")
            .replacing("http://127.0.0.1:8080", with: server.origin)
        #expect(script.contains(server.origin))
        for isFirst in [true, false] {
            let outcome = try await program.bash(script)
            #expect(outcome.status == 0, "\(outcome.output)\n\(outcome.errors)")
            #expect(!outcome.errors.contains("Error:"), "\(outcome.errors)")
            // The tour shows one error, the conflict it speaks of.
            #expect(outcome.output.matches(of: /serverErrorCode/).count == 1, "\(outcome.output)")
            #expect(outcome.output.contains("CONFLICT"))
            #expect(!outcome.output.contains("/share/null"))
            for shown in [
                "Lisbon", "Groceries", "Journal", "monday", "entry-1", "\(server.origin)/share/", "READ_WRITE",
                "temple", "Recipes", "ACCEPTED", "Pancakes", "Waffles", "A good note", "KSFO", "has editor",
                "is well", "- RECORD TYPE Note",
            ] {
                #expect(outcome.output.contains(shown), "\(shown)")
            }
            #expect(outcome.output.contains("+ Article GRANT CREATE, WRITE TO editor") == isFirst)
        }
        #expect(await server.stop() == 0)
    }

    @Test("Every page with shell blocks is among those that run")
    func guidesAreComplete() throws {
        let pages = try DocumentPage.all.filter { !$0.blocks("sh").isEmpty }.map(\.path)
        #expect(Set(pages) == Set(Self.guides))
    }
}

extension Program {
    /// Runs a script that finds the program by its name, and stops at the first command that fails.
    func bash(_ script: String) async throws -> Outcome {
        let file = try file("script.sh", script)
        let files = try ["bash.out", "bash.err"].map { try self.file($0, "") }
        let nothing = try FileHandle(forReadingFrom: URL(filePath: "/dev/null"))
        let output = try FileHandle(forWritingTo: files[0])
        let errors = try FileHandle(forWritingTo: files[1])
        let child = try ChildProcess(
            URL(filePath: "/bin/bash"), ["-euo", "pipefail", file.path()],
            environment: [
                "PATH": "\(Self.executable.deletingLastPathComponent().path()):/usr/bin:/bin", "TMPDIR": folder.path(),
            ],
            streams: (nothing.fileDescriptor, output.fileDescriptor, errors.fileDescriptor), bound: Self.bound)
        return Outcome(
            status: await child.end(), output: try String(contentsOf: files[0], encoding: .utf8),
            errors: try String(contentsOf: files[1], encoding: .utf8))
    }
}
