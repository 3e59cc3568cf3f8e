import Foundation
import TestProcess
import Testing

/// What README.md tells people to type works.
@Suite(.timeLimit(.minutes(20)))
struct ReadmeTests {
    /// Every block of shell, in one bash, in a folder with nothing but the samples, against a development server; and
    /// once more, with everything there that the first time made.
    @Test func theTourAndTheCommandsRunTwice() async throws {
        let readme = try Readme()
        let program = try Program()
        try FileManager.default.createSymbolicLink(
            at: program.folder.appending(path: "Samples"), withDestinationURL: Readme.root.appending(path: "Samples"))
        let server = try await RunningServer(program, "--dev")
        let script = (["cd '\(program.folder.path())'"] + readme.blocks("sh")).joined(separator: "\n\n")
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
                "Groceries", "Journal", "monday", "entry-1", "\(server.origin)/share/", "READ_WRITE", "temple",
                "Pancakes", "Waffles", "A good note", "KSFO", "has editor",
            ] {
                #expect(outcome.output.contains(shown), "\(shown)")
            }
            #expect(outcome.output.contains("+ Article GRANT CREATE, WRITE TO editor") == isFirst)
        }
        #expect(await server.stop() == 0)
    }

    @Test func everyMakeTargetExists() throws {
        let readme = try Readme()
        let named = Set(
            readme.text.matches(of: /(?:^|`)make ([a-z-]+)/.anchorsMatchLineEndings()).map { String($0.output.1) })
        #expect(named.isSuperset(of: ["run", "test", "bench", "crash", "demo", "lint", "format", "image"]))
        for target in named { #expect(readme.makefile.contains("\n\(target):"), "make \(target)") }
    }

    @Test func everyCommandOfTheTableHasItsOptions() async throws {
        let program = try Program()
        let commands = try Readme().commands
        #expect(commands.count >= 8)
        for (calls, options) in commands {
            var help = ""
            for call in calls {
                let outcome = try await program.run(call + ["--help"])
                #expect(outcome.status == 0, "\(call)")
                #expect(outcome.output.contains("cumulus \(call.joined(separator: " "))"), "\(call)")
                help += outcome.output
            }
            for option in options { #expect(help.contains(option), "\(calls) \(option)") }
        }
    }

    @Test func everySettingIsInTheTable() async throws {
        let readme = try Readme()
        let program = try Program()
        let outcome = try await program.run(["settings", "--json"])
        #expect(outcome.status == 0)
        let settings = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
        #expect(settings.count > 10)
        for setting in settings {
            let name = try #require(setting["name"] as? String)
            let variable = try #require(setting["variable"] as? String)
            let standard = try #require(setting["default"] as? String)
            let shown = standard.isEmpty ? "–" : "`\(standard)`"
            #expect(readme.text.contains("| `\(name)` | `\(variable)` | \(shown) |"), "\(name)")
        }
    }

    /// Relative links lead to files, and those within the page to headings.
    @Test func linksLeadSomewhere() throws {
        let readme = try Readme()
        let headings = readme.text.matches(of: /^#+ (.+)$/.anchorsMatchLineEndings()).map { heading in
            heading.output.1.lowercased().filter { $0.isLetter || $0.isNumber || " -".contains($0) }
                .replacing(" ", with: "-")
        }
        for match in readme.text.matches(of: /\]\(([^):]+)\)/) {
            guard !match.output.1.hasPrefix("#") else {
                #expect(headings.contains(String(match.output.1.dropFirst())), "\(match.output.1)")
                continue
            }
            let path = match.output.1.prefix { $0 != "#" }
            let file = Readme.root.appending(path: String(path)).path()
            #expect(FileManager.default.fileExists(atPath: file), "\(match.output.1)")
        }
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
