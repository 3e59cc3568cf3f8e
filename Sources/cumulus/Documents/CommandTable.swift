import ArgumentParser
import CloudModel

/// The table in docs/commands.md, made from the commands: a row for each with its arguments, purpose and options.
struct CommandTable {
    let lines: [String]

    /// Options of nearly every command, which the page names once.
    private static let common: Set = [
        "--data", "--database-url", "--config", "--server", "--management-token-file", "--json", "--help", "--version",
    ]

    init(of program: (some ParsableCommand).Type) throws {
        let dump = try JSONParser.parse(Array(program._dumpHelp().utf8))
        let rows = Self.rows(dump.object?["command"], [])
        lines = ["| command | purpose |", "| --- | --- |"] + rows
    }

    /// The rows of a command without subcommands, or of its subcommands.
    private static func rows(_ command: JSONValue?, _ above: [String]) -> [String] {
        guard let command = command?.object, command["shouldDisplay"]?.bool ?? true,
            let name = command["commandName"]?.string, name != "help"
        else { return [] }
        let words = above + [name]
        let inner = (command["subcommands"]?.array ?? []).filter { $0.object?["commandName"]?.string != "help" }
        guard inner.isEmpty else { return inner.flatMap { rows($0, words) } }
        let arguments = (command["arguments"]?.array ?? []).compactMap(\.object).filter {
            $0["shouldDisplay"]?.bool ?? true
        }
        let call = (words + arguments.compactMap(positional)).joined(separator: " ")
        let options = arguments.compactMap(option).filter { !common.contains($0) }.map { "`\($0)`" }
        let purpose = command["abstract"]?.string ?? ""
        return ["| `\(call)` | \(escaped(purpose))\(options.isEmpty ? "" : " " + options.joined(separator: ", ")) |"]
    }

    private static func positional(_ argument: JSONObject) -> String? {
        guard argument["kind"]?.string == "positional", let name = argument["valueName"]?.string else { return nil }
        let text = name.uppercased() + (argument["isRepeating"]?.bool == true ? "…" : "")
        return argument["isOptional"]?.bool == true ? "[\(text)]" : text
    }

    private static func option(_ argument: JSONObject) -> String? {
        guard ["option", "flag"].contains(argument["kind"]?.string ?? "") else { return nil }
        let names = (argument["names"]?.array ?? []).compactMap(\.object)
        return names.first { $0["kind"]?.string == "long" }?["name"]?.string.map { "--\($0)" }
    }

    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
