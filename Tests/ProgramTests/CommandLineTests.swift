import CloudModel
import Foundation
import Testing

@testable import cumulus

/// What the command line says to people: help, hints and lists.
@Suite(.timeLimit(.minutes(20)))
struct CommandLineTests {
    private let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("Help lists the commands in groups")
    func groups() async throws {
        let help = try await cumulus("--help").output
        let headings = help.matches(of: /(?m)^([A-Z]+) SUBCOMMANDS:$/).map { String($0.output.1) }
        #expect(headings == ["RUN", "APP", "PEOPLE", "DATA", "LOOK"], "\(help)")
        let commands = Self.commands(in: help)
        for name in ["serve", "exec", "container", "user", "records", "logs", "why"] {
            #expect(commands.contains(name), "\(name): \(help)")
        }
        #expect(commands.count > 25 && !commands.contains("import-schema"), "\(commands)")
    }

    /// The commands that a page of help lists.
    private static func commands(in help: String) -> [String] {
        help.components(separatedBy: "SUBCOMMANDS:").dropFirst()
            .flatMap { $0.matches(of: /(?m)^  ([a-z][a-z-]*)(?:, [a-z-]+)*(?: |$)/).map { String($0.output.1) } }
    }

    @Test("Help has at most 100 columns, however wide the terminal")
    func helpIsNarrow() async throws {
        let wide = ["COLUMNS": "250"]
        for words in [[], ["serve"], ["schema", "deploy"]] {
            let outcome = try await cumulus.run(words + ["--help"], environment: wide)
            let longest = outcome.output.split(separator: "\n").map(\.count).max() ?? 0
            #expect(outcome.status == 0 && (50...100).contains(longest), "\(words): \(longest)")
        }
        for command in CommandHelp.listed {
            let longest = command.help.split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= 100, "\(command.path): \(longest)")
        }
    }

    @Test("Every command's source says its name")
    func names() { #expect(CommandHelp.all.filter { !$0.isNamed }.map(\.path) == []) }

    @Test(
        "An unknown command is refused with the nearest known one",
        arguments: [
            (["contaner", "list"], "'contaner' is no command of 'cumulus'. Did you mean 'cumulus container'?"),
            (
                ["container", "lst"],
                "'lst' is no command of 'cumulus container'. Did you mean 'cumulus container list'?"
            ),
            (["start"], "Did you mean 'cumulus serve'?"), (["token", "new"], "Did you mean 'cumulus token create'?"),
            (["deploy", "c"], "Did you mean 'cumulus schema deploy'?"),
            (["xyzzy"], "'xyzzy' is no command of 'cumulus'.\n"),
        ])
    func wrongWords(arguments: [String], hint: String) async throws {
        let outcome = try await cumulus.run(arguments)
        #expect(outcome.status == 64 && outcome.output == "", "\(outcome)")
        #expect(outcome.errors.hasPrefix("Error: ") && outcome.errors.contains(hint), "\(outcome.errors)")
    }

    @Test("A missing container is reported before any confirmation, with the nearest known one")
    func unknownContainers() async throws {
        #expect(try await cumulus("container", "create", "iCloud.com.example.app").status == 0)
        for arguments in [["container", "delete"], ["schema", "reset"], ["clone"], ["schema", "deploy"]] {
            let outcome = try await cumulus.run(arguments + ["iCloud.com.example.nothing.of.the.kind"])
            #expect(outcome.status == 1 && outcome.errors.contains("does not exist"), "\(arguments) \(outcome)")
            #expect(!outcome.errors.contains("--yes"), "\(arguments) \(outcome)")
        }
        let near = try await cumulus("container", "delete", "iCloud.com.example.ap")
        #expect(near.errors.contains("did you mean 'iCloud.com.example.app'?"), "\(near.errors)")
    }

    @Test("Counts agree with their nouns, and zero counts are omitted")
    func counts() {
        #expect(Counted.text(1, "record") == "1 record" && Counted.text(2, "record") == "2 records")
        #expect(Counted.text(1, "record was", "records were") == "1 record was")
        let counts = [(count: 1, noun: "zone", plural: String?.none), (0, "share", nil), (2, "record", nil)]
        #expect(Counted.list(counts, nothing: "nothing") == "1 zone, 2 records")
        #expect(Counted.list([(0, "share", nil)], nothing: "nothing") == "nothing")
    }

    @Test("A table has at most 100 columns and all of its text")
    func tables() throws {
        let words = Array(repeating: "word", count: 60).joined(separator: " ")
        let id = String(repeating: "f", count: 64)
        for row in [["a", "b"], ["name", words], [words, words], [id, id], [id, words, id]] {
            let columns = row.indices.map { "COLUMN \($0)" }
            let text = Table(columns: columns, rows: [row, row]).text
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(text)")
            for cell in row {
                for word in Set(cell.split(separator: " ")) { #expect(text.contains(word), "\(text)") }
            }
        }
        #expect(Table(columns: ["A", "B"], rows: [["x", "y"]]).text == "A  B\nx  y")
    }

    @Test("Lists have at most 100 columns, and show people's names beside their ids")
    func lists() async throws {
        #expect(try await cumulus("container", "create", "iCloud.com.example.app").status == 0)
        #expect(try await cumulus("user", "create", "ann@example.com").status == 0)
        let schema = try cumulus.file("a.ckdb", "DEFINE SCHEMA CREATE ROLE editor;").path()
        #expect(try await cumulus("schema", "import", "iCloud.com.example.app", "--file", schema).status == 0)
        let granted = try await cumulus("role", "grant", "iCloud.com.example.app", "editor", "ann@example.com")
        #expect(granted.status == 0, "\(granted.errors)")
        let roles = try await cumulus("role", "list", "iCloud.com.example.app")
        #expect(roles.output.contains(/ann@example\.com _[0-9a-f]{32}/), "\(roles)")
        let json = try await cumulus("role", "list", "iCloud.com.example.app", "--json").json.array?.first?.object
        #expect(json?["members"]?.array?.first?.object?["email"]?.string == "ann@example.com")
        for list in [["container", "list"], ["settings"], ["user", "list"], ["token", "list"]] {
            let lines = try await cumulus.run(list).output.split(separator: "\n")
            // A value without a space is not broken.
            #expect(lines.allSatisfy { $0.count <= 100 || !$0.drop(while: { $0 == " " }).contains(" ") }, "\(list)")
        }
    }

    @Test("A column without values is omitted")
    func emptyColumns() {
        let table = Table(columns: ["A", "B", "C"], rows: [["x", "", "y"], ["z", "", ""]])
        #expect(table.text == "A  C\nx  y\nz")
    }

    @Test("The usage in an error has at most 100 columns")
    func usageIsNarrow() async throws {
        let outcome = try await cumulus.run(["session", "list", "ann@example.com"], environment: ["COLUMNS": "250"])
        #expect(outcome.status == 64 && outcome.errors.contains("Usage: cumulus session list"), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(outcome.errors)")
    }

    @Test("Requests and the audit log show addresses beside user record names")
    func addresses() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let person = try await DevelopmentPerson(server)
        let user = try await person.userRecordName()
        let logs = try await cumulus("logs").output
        let uuid = try #require(logs.firstMatch(of: /(?m)(\S+)  GET public\/users\/caller/)?.output.1)
        let why = try await cumulus("why", String(uuid)).output
        #expect(why.contains("  user  mei@example.com \(user)"), "\(why)")
        _ = try await person.create(["n1"], text: "x")
        let look = ["records", "list", "c", "--user", user, "--type", "Note"]
        #expect(try await cumulus.run(look).status == 0)
        let audit = try await cumulus("audit").output
        #expect(audit.contains("mei@example.com \(user)"), "\(audit)")
        #expect(await server.stop() == 0)
    }

    @Test("The JSON of settings has the types of the settings file")
    func settingTypes() async throws {
        let rows = try #require(try await cumulus("settings", "--json").json.array).compactMap(\.object)
        func value(_ name: String) -> JSONValue? { rows.first { $0["name"]?.string == name }?["value"] }
        #expect(value("port") == .integer(8080) && value("dev") == .bool(false))
        #expect(value("host") == .string("127.0.0.1") && value("database.url")?.string == nil)
    }

    @Test(
        "The manual page and the completions are laid out as /usr/share, and have every command and option of the help")
    func completions() async throws {
        let script = DocumentPage.root.appending(path: "Scripts/write-completions.sh").path()
        let outcome = try await cumulus.bash(
            """
            cd '\(cumulus.folder.path())'
            '\(script)' '\(Program.executable.path())' share
            bash -n share/bash-completion/completions/cumulus
            grep -q '^#compdef cumulus' share/zsh/vendor-completions/_cumulus
            cat share/man/man1/cumulus.1
            """)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix(".TH CUMULUS 1"))
        let manual = outcome.output.replacing("\\-", with: "-").replacing("\\fB", with: "").replacing("\\fR", with: "")
        #expect(manual.contains("--days \\fIdays"))
        #expect(!manual.contains("import-schema"))
        let completions = try ["bash-completion/completions/cumulus", "fish/vendor_completions.d/cumulus.fish"].map {
            try String(contentsOf: cumulus.folder.appending(path: "share/\($0)"), encoding: .utf8)
        }
        let commands = CommandHelp.listed.filter(\.isLast)
        #expect(commands.count > 60)
        for command in commands {
            let path = command.path
            let words = (["cumulus"] + path).joined(separator: " ")
            let section = manual.components(separatedBy: ".SS ").first {
                $0.hasPrefix(words + "\n") || $0.hasPrefix(words + " ")
            }
            for option in command.help.matches(of: /(?m)^  (--[a-z-]+)/).map({ String($0.output.1) })
            where option != "--version" {
                #expect(section?.contains(option) == true, "\(path) \(option)")
                #expect(completions[0].contains(option), "\(path) \(option)")
                #expect(completions[1].contains("-l '\(option.dropFirst(2))'"), "\(path) \(option)")
            }
            for text in completions { #expect(text.contains(path.last ?? "")) }
        }
    }
}
