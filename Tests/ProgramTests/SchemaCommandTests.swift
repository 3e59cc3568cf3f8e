import CloudHTTP
import CloudModel
import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@testable import cumulus

/// `cumulus schema` and `cumulus role`, on the folder and through a server.
@Suite(.timeLimit(.minutes(20)))
struct SchemaCommandTests {
    static let schema = """
        DEFINE SCHEMA
            CREATE ROLE editor;
            RECORD TYPE Note (
                title STRING QUERYABLE,
                GRANT WRITE TO editor, GRANT CREATE TO "_icloud", GRANT READ TO "_world"
            );

        """
    let cumulus: Program
    let file: String

    init() throws {
        cumulus = try Program()
        file = try cumulus.file("app.ckdb", Self.schema).path()
    }

    /// An operator's commands from the first import to production.
    private func walk(_ options: [String] = [], environment: [String: String] = [:]) async throws {
        func schema(_ arguments: String...) async throws -> Program.Outcome {
            try await cumulus.run(["schema"] + arguments + options, environment: environment)
        }
        func role(_ arguments: String...) async throws -> Program.Outcome {
            try await cumulus.run(["role"] + arguments + options, environment: environment)
        }
        let planned = try await schema("import", "c", "--file", file, "--dry-run")
        #expect(planned.status == 0 && planned.output.hasPrefix("+ CREATE ROLE editor\n+ RECORD TYPE Note\n"))
        #expect(planned.errors.contains("Nothing was changed"))
        #expect(try await schema("validate", "c", "--file", file).output == planned.output)
        let imported = try await schema("import", "c", "--file", file)
        #expect(imported.status == 0 && imported.output == planned.output, "\(imported)")
        #expect(!imported.output.contains("\u{1B}"))
        let text = try await schema("export", "c").output
        #expect(text.contains("RECORD TYPE Note (") && text.contains("CREATE ROLE editor;"))
        #expect(try await schema("diff", "c", "--file", file).output == "Development has this schema.\n")
        let diff = try await schema("diff", "c")
        #expect(diff.output == planned.output)
        #expect(try await schema("deploy", "c", "--dry-run").output == planned.output)
        #expect(try await schema("deploy", "c").output == planned.output)
        #expect(try await schema("diff", "c").output == "Production has the schema of development.\n")
        #expect(try await schema("export", "c", "--environment", "production").output == text)
        #expect(try await schema("status", "c").output == "All indexes are complete.\n")
        let granted = try await role("grant", "c", "editor", "ann@example.com")
        #expect(granted.output.wholeMatch(of: #/ann@example.com \(_[0-9a-f]{32}\) has editor.\n/#) != nil, "\(granted)")
        let listed = try await role("list", "c", "--json").json.array?.first?.object
        #expect(listed?["number"] == .integer(1) && listed?["users"]?.array?.count == 1)
        #expect(try await role("revoke", "c", "editor", "ann@example.com").output.hasSuffix("has no custom role.\n"))
        #expect(try await role("grant", "c", "owner", "ann@example.com").status == 1)
        let refused = try await schema("import", "c", "--file", try cumulus.file("less.ckdb", "DEFINE SCHEMA").path())
        #expect(refused.status == 1 && refused.errors.contains("'Note' is in production"), "\(refused)")
    }

    private func prepare() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("user", "create", "ann@example.com")
    }

    @Test("Schema commands work on the data folder without a server") func onTheFolder() async throws {
        try await prepare()
        try await walk()
    }

    @Test("Schema commands go through the server that runs on the data folder")
    func runningServer() async throws {
        try await prepare()
        let server = try await RunningServer(cumulus)
        try await walk()
        #expect(try await cumulus("management-token", "list").output == "There are no management tokens yet.\n")
        #expect(await server.stop() == 0)
        #expect(try await cumulus("schema", "export", "c").output.contains("RECORD TYPE Note ("))
    }

    @Test("Schema commands work on another server with --server") func anyServer() async throws {
        try await prepare()
        let created = try await cumulus("management-token", "create", "--container", "c", "--name", "ci", "--days", "1")
        let token = created.output.trimmingCharacters(in: .newlines)
        #expect(token.wholeMatch(of: #/cm_[0-9a-f]{64}/#) != nil)
        let server = try await RunningServer(cumulus)
        try await walk(
            ["--server", server.origin, "--data", "/nowhere"], environment: ["CUMULUS_MANAGEMENT_TOKEN": token])
        let file = try cumulus.file("token", token + "\n").path()
        let options = ["schema", "status", "c", "--server", server.origin + "/", "--management-token-file"]
        #expect(try await cumulus.run(options + [file]).status == 0)
        let wrong = try await cumulus.run(options + [try cumulus.file("wrong", "cm_0").path()])
        #expect(wrong.status == 1 && wrong.errors.contains("management token"))
        let none = try await cumulus("schema", "status", "c", "--server", server.origin)
        #expect(none.status == 1 && none.errors.contains("CUMULUS_MANAGEMENT_TOKEN"))
        let listed = try await cumulus("management-token", "list")
        #expect(listed.output.contains("ci") && !listed.output.contains(token))
        #expect(try await cumulus("management-token", "revoke", "1").status == 0)
        #expect(try await cumulus.run(options + [file]).status == 1)
        #expect(await server.stop() == 0)
        let gone = try await cumulus.run(options + [file])
        #expect(gone.status == 1 && gone.errors.contains("does not answer") && !gone.errors.contains(token))
    }

    @Test("A mistake in a schema file is reported with its line and column") func mistakes() async throws {
        try await prepare()
        let broken = try cumulus.file("broken.ckdb", "DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRIN\n);\n").path()
        for command in ["import", "validate", "diff"] {
            let outcome = try await cumulus("schema", command, "c", "--file", broken)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("Error: \(broken):3:11: "), "\(outcome.errors)")
        }
        let piped = try await cumulus("schema", "validate", "c", "--file", "-", input: "DEFINE")
        #expect(piped.errors.hasPrefix("Error: standard input:1:7: "), "\(piped.errors)")
        #expect(try await cumulus("schema", "validate", "c", "--file", "-", input: Self.schema).status == 0)
        let missing = try await cumulus("schema", "import", "c", "--file", "/nowhere/a.ckdb")
        #expect(missing.status == 1 && missing.errors.contains("cannot read /nowhere/a.ckdb"))
        #expect(try await cumulus("schema", "export", "d").errors.contains("container create"))
    }

    @Test("A change that loses data needs --yes") func confirmation() async throws {
        try await prepare()
        _ = try await cumulus("schema", "import", "c", "--file", file)
        let less = try cumulus.file("less.ckdb", "DEFINE SCHEMA CREATE ROLE editor;").path()
        let refused = try await cumulus("schema", "import", "c", "--file", less)
        #expect(refused.status == 1 && refused.errors.contains("--yes"))
        #expect(refused.errors.contains("- RECORD TYPE Note"))
        #expect(try await cumulus("schema", "export", "c").output.contains("Note"))
        let meant = try await cumulus("schema", "import", "c", "--file", less, "--yes")
        #expect(meant.status == 0 && meant.output == "- RECORD TYPE Note\n")
        let reset = try await cumulus("schema", "reset", "c")
        #expect(reset.status == 1 && reset.errors.contains("--yes"))
        #expect(try await cumulus("schema", "reset", "c", "--dry-run").output == "- CREATE ROLE editor\n")
        #expect(try await cumulus("schema", "reset", "c", "--yes").output == "- CREATE ROLE editor\n")
    }

    @Test("A schema import that loses data asks at a terminal", arguments: [("yes", 0), ("y", 1)])
    func confirmationAtTerminal(answer: String, status: Int32) async throws {
        try await prepare()
        _ = try await cumulus("schema", "import", "c", "--file", file)
        let less = try cumulus.file("less.ckdb", "DEFINE SCHEMA CREATE ROLE editor;").path()
        let terminal = try PseudoTerminal()
        let descriptor = terminal.program.fileDescriptor
        let child = try cumulus.start(
            ["schema", "import", "c", "--file", less], streams: (descriptor, descriptor, descriptor))
        try terminal.program.close()
        try terminal.type(answer + "\n")
        var text = ""
        for await chunk in terminal.output { text += chunk }
        #expect(await child.end() == status)
        #expect(text.contains("- RECORD TYPE Note") && text.contains("Type yes to go on"), "\(text)")
        #expect(text.contains("\u{1B}[31m- RECORD TYPE Note") == (status == 0), "\(text)")
        #expect(try await cumulus("schema", "export", "c").output.contains("Note") == (status == 1))
    }

    /// A type that an app makes between the question and the answer is not lost.
    @Test("A schema that changes before the confirmation is left unchanged") func concurrentChange() async throws {
        try await prepare()
        _ = try await cumulus("schema", "import", "c", "--file", file)
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        let less = try cumulus.file("less.ckdb", "DEFINE SCHEMA CREATE ROLE editor;").path()
        let terminal = try PseudoTerminal()
        let descriptor = terminal.program.fileDescriptor
        let child = try cumulus.start(
            ["schema", "import", "c", "--file", less], streams: (descriptor, descriptor, descriptor))
        try terminal.program.close()
        var text = ""
        var isAnswered = false
        for await chunk in terminal.output {
            text += chunk
            guard !isAnswered, text.contains("Type yes to go on") else { continue }
            _ = try await person.create(["a"], text: "x")
            try terminal.type("yes\n")
            isAnswered = true
        }
        #expect(await child.end() == 1)
        #expect(text.contains("has changed since you compared it"), "\(text)")
        #expect(try await cumulus("schema", "export", "c").output.contains("text  "))
        #expect(await server.stop() == 0)
    }

    @Test("Import and validate warn of types without grants") func ungrantedTypes() async throws {
        try await prepare()
        let file = try cumulus.file("open.ckdb", "DEFINE SCHEMA RECORD TYPE Secret (a STRING);").path()
        for command in ["validate", "import"] {
            let outcome = try await cumulus("schema", command, "c", "--file", file)
            #expect(outcome.status == 0 && outcome.errors.contains("No GRANT"), "\(outcome)")
            #expect(outcome.errors.contains("public database: Secret\n"))
        }
    }

    @Test("A schema exported to a file is imported from it") func roundTrip() async throws {
        try await prepare()
        _ = try await cumulus("schema", "import", "c", "--file", file)
        let copy = cumulus.folder.appending(path: "copy.ckdb").path()
        #expect(try await cumulus("schema", "export", "c", "--file", copy).status == 0)
        #expect(
            try await cumulus("schema", "import", "c", "--file", copy).output
                == "Development has this schema already.\n")
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        #expect(try await cumulus("schema", "export", "c").output == text)
    }

    /// Commands that run at once wait for each other.
    @Test("Several schema commands run at once") func concurrentCommands() async throws {
        try await prepare()
        try await withThrowingTaskGroup(of: Program.Outcome.self) { group in
            for _ in 0..<4 {
                group.addTask { [cumulus, file] in try await cumulus("schema", "import", "c", "--file", file) }
            }
            for try await outcome in group { #expect(outcome.status == 0, "\(outcome.errors)") }
        }
    }

    @Test("A schema difference has colours on a terminal") func colours() {
        #expect(
            Report.coloured("+ a\n- b\n~ c\n")
                == "\u{1B}[32m+ a\u{1B}[0m\n\u{1B}[31m- b\u{1B}[0m\n\u{1B}[33m~ c\u{1B}[0m\n")
    }
}
