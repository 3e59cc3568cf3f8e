import CloudModel
import Foundation
import Testing

@testable import cumulus

/// `cumulus schema types`, of a container and of a file.
@Suite(.timeLimit(.minutes(10)))
struct SchemaTypesCommandTests {
    static let schema = "DEFINE SCHEMA RECORD TYPE Note (title STRING, GRANT READ TO \"_world\");"
    let cumulus: Program
    let file: String

    init() throws {
        cumulus = try Program()
        file = try cumulus.file("app.ckdb", Self.schema).path()
    }

    /// The committed files are compiled by the tests of the clients.
    @Test(
        "The types compiled by the clients' tests equal the program's output",
        arguments: [
            ("swift", "Clients/Swift/Tests/CumulusKitTests/Types/EveryKind.swift"),
            ("typescript", "Tests/JavaScript/types/every-kind.ts"),
        ])
    func committedFiles(language: String, path: String) async throws {
        let schema = DocumentPage.root.appending(path: "Tests/Fixtures/types/every-kind.ckdb").path()
        let committed = try String(contentsOf: DocumentPage.root.appending(path: path), encoding: .utf8)
        let printed = try await cumulus("schema", "types", "--schema", schema, "--language", language).output
        let command = "cumulus schema types --schema Tests/Fixtures/types/every-kind.ckdb --language \(language)"
        #expect(printed == committed, "to renew it: \(command) --file \(path)")
    }

    @Test("A container and its schema's file give the same types") func sameTypes() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("schema", "import", "c", "--file", file)
        for language in ["swift", "typescript"] {
            let ofFile = try await cumulus("schema", "types", "--schema", file, "--language", language)
            let ofContainer = try await cumulus("schema", "types", "c", "--language", language)
            let (first, second) = (Self.split(ofFile.output), Self.split(ofContainer.output))
            #expect(first.rest == second.rest && first.rest.contains("title"), "\(ofContainer)")
            #expect(first.line == "// Made by: cumulus schema types --schema app.ckdb --language \(language)")
            #expect(second.line == "// Made by: cumulus schema types c --language \(language)")
        }
    }

    private static func split(_ text: String) -> (line: Substring, rest: Substring) {
        let line = text.prefix { $0 != "\n" }
        return (line, text[line.endIndex...])
    }

    @Test("Types are those of the chosen environment") func environments() async throws {
        _ = try await cumulus("container", "create", "c")
        _ = try await cumulus("schema", "import", "c", "--file", file)
        let call = ["schema", "types", "c", "--language", "typescript", "--environment"]
        let line = "// Made by: cumulus schema types c --environment production --language typescript\n"
        let before = try await cumulus.run(call + ["production"]).output
        #expect(before.hasPrefix(line) && !before.contains("Note"))
        #expect(try await cumulus.run(call + ["development"]).output.contains("    Note: Note;\n"))
        _ = try await cumulus("schema", "deploy", "c")
        #expect(try await cumulus.run(call + ["production"]).output.contains("    Note: Note;\n"))
    }

    @Test("Types are written to a file or printed as JSON") func outputs() async throws {
        let out = cumulus.folder.appending(path: "Records.swift").path()
        let call = ["schema", "types", "--schema", "-", "--language", "swift"]
        let printed = try await cumulus.run(call, input: Self.schema)
        #expect(printed.output.hasPrefix("// Made by: cumulus schema types --schema - --language swift\n"))
        let written = try await cumulus.run(call + ["--file", out], input: Self.schema)
        #expect(written.status == 0 && written.output == "Wrote the types of standard input to \(out).\n")
        #expect(try String(contentsOfFile: out, encoding: .utf8) == printed.output)
        let json = try await cumulus.run(call + ["--json"], input: Self.schema).json
        #expect(json.object?["types"] == .string(printed.output))
        let refused = try await cumulus.run(call + ["--file", "/nowhere/Records.swift"], input: Self.schema)
        #expect(refused.status == 1 && refused.errors.hasPrefix("Error: cannot write /nowhere/Records.swift: "))
    }

    @Test("Types of a schema file need no data folder") func schemaFile() async throws {
        let outcome = try await cumulus("schema", "types", "--schema", file, "--language", "swift")
        #expect(outcome.status == 0 && !FileManager.default.fileExists(atPath: cumulus.data))
    }

    @Test("A file name with blanks is quoted in the generated comment") func quotedName() async throws {
        let file = try cumulus.file("Mei's app.ckdb", Self.schema).path(percentEncoded: false)
        let outcome = try await cumulus("schema", "types", "--schema", file, "--language", "swift")
        #expect(
            outcome.output.hasPrefix(
                #"// Made by: cumulus schema types --schema 'Mei'\''s app.ckdb' --language swift"# + "\n"))
    }

    @Test(
        "Wrong options are refused",
        arguments: [
            (["--language", "swift"], "Name either a container or, with --schema, the file of a schema."),
            (["c", "--schema", "a.ckdb", "--language", "swift"], "Name either a container or, with --schema,"),
            (["--schema", "a.ckdb", "--language", "swift", "--environment", "production"], "leave out --environment"),
            (["--schema", "a.ckdb", "--language", "swift", "--server", "http://127.0.0.1:9"], "leave out --server"),
            (["c", "--language", "kotlin"], "'typescript' and 'swift'"), (["c"], "--language <language>"),
        ])
    func wrongOptions(options: [String], reason: String) async throws {
        let outcome = try await cumulus.run(["schema", "types"] + options)
        #expect(outcome.status == 64 && outcome.output.isEmpty && outcome.errors.contains(reason), "\(outcome)")
    }

    @Test("A mistake in a schema file is reported with its line and column") func mistakes() async throws {
        let broken = try cumulus.file("broken.ckdb", "DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRIN\n);\n").path()
        let outcome = try await cumulus("schema", "types", "--schema", broken, "--language", "swift")
        #expect(outcome.status == 1 && outcome.errors.hasPrefix("Error: \(broken):3:11: "), "\(outcome)")
    }
}
