import ArgumentParser
import CloudModel
import CloudOperations
import Testing

@testable import cumulus

/// Options made from the inputs of operations.
@Suite(.timeLimit(.minutes(5)))
struct InputCommandTests {
    /// All commands with options made from an input.
    private static var commands: [any InputCommand.Type] {
        func inner(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            let configuration = command.configuration
            let below = configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
            return [command] + below.flatMap(inner)
        }
        let all = inner(Cumulus.self).compactMap { $0 as? any InputCommand.Type }
        return Dictionary(all.map { ("\(String(reflecting: $0))", $0) }, uniquingKeysWith: { $1 }).values.map(\.self)
    }

    /// The entries of a command's help by name.
    private static func help(_ command: any ParsableCommand.Type) throws -> [String: JSONObject] {
        let dump = try JSONParser.parse(Array(command._dumpHelp().utf8))
        let entries = dump.object?["command"]?.object?["arguments"]?.array ?? []
        return Dictionary(
            entries.compactMap(\.object).map { entry in
                let names = (entry["names"]?.array ?? []).compactMap { $0.object?["name"]?.string }
                return (names.first ?? entry["valueName"]?.string ?? "", entry)
            }, uniquingKeysWith: { first, _ in first })
    }

    @Test("Help has the sentence and the choices of each property that a command takes")
    func sentences() throws {
        var count = 0
        /// Sentences of the commands' own: the command that lists the ids, lines of the log, text for a body, a time with its unit.
        let own = ["id", "limit", "body", "slower"]
        func check<Command: InputCommand>(_ command: Command.Type) throws {
            let help = try Self.help(command)
            for argument in command.arguments {
                let parameter = try #require(argument.parameter, "\(command): \(argument.name.stringValue)")
                let name = argument.name.option
                let entry = try #require(help[name] ?? help[String(name.dropLast())], "\(command): \(name)")
                #expect(
                    entry["abstract"]?.string == parameter.about || own.contains(parameter.name), "\(command): \(name)")
                if let values = entry["allValues"]?.array?.compactMap(\.string), values != ["on", "off"] {
                    #expect(values == parameter.choices, "\(command): \(name)")
                }
                count += 1
            }
        }
        for command in Self.commands { try check(command) }
        #expect(Self.commands.count > 35 && count > 80, "\(Self.commands.count) commands, \(count) arguments")
    }

    @Test("No option that a command declares has the name of a property of its input")
    func declared() throws {
        func check<Command: InputCommand>(_ command: Command.Type) throws {
            let made = Set(command.arguments.map(\.name.option))
            let properties = Set(Command.Input.fields.parameters.map { ArgumentName($0.name).option })
            let own = Set(try Self.help(command).keys).subtracting(made)
            #expect(own.isDisjoint(with: properties), "\(command): \(own.intersection(properties))")
        }
        for command in Self.commands { try check(command) }
    }

    @Test("A command that runs one operation takes each required property of its input")
    func required() throws {
        var count = 0
        func check<Command: OperationCommand>(_ command: Command.Type) {
            let taken = Set(command.arguments.compactMap(\.parameter?.name))
            for parameter in command.operation.route.parameters where parameter.isRequired {
                #expect(taken.contains(parameter.name), "\(command): \(parameter.name)")
            }
            count += 1
        }
        for case let command as any OperationCommand.Type in Self.commands { check(command) }
        #expect(count > 20, "\(count)")
    }

    @Test("Parsed options become the arguments of the operation")
    func arguments() throws {
        let token = try TokenCommand.Create.parse([
            "--container", "c", "--environment", "production", "--name", "n", "--allowed-origin", "https://a.example",
            "--allowed-origin", "https://b.example",
        ])
        let sent = token.input.draft.arguments
        #expect(sent.names == ["container", "environment", "name", "allowedOrigins"])
        #expect(sent["allowedOrigins"]?.array == [.string("https://a.example"), .string("https://b.example")])
        #expect(try token.input[\.place] == EnvironmentAddress(container: "c", environment: .production))
        #expect(try token.input[\.signInCallback] == nil)

        let update = try ContainerCommand.Update.parse(["c", "--strict-indexes", "off"])
        #expect(update.input.draft.arguments["strictIndexes"] == .bool(false))
        #expect(update.input.draft.arguments.names == ["container", "strictIndexes"])

        let actAs = try ActAsCommand.parse(["c", "records/query", "{}", "--operator", "--database", "mine"])
        #expect(actAs.input.draft.arguments["operator"] == .bool(true))
        #expect(actAs.input.draft.arguments["database"]?.string == "mine")
        #expect(actAs.input.draft.arguments["environment"]?.string == "development")

        let manager = try ManagementTokenCommand.Create.parse(["--name", "n", "--scope", "root", "--days", "7"])
        #expect(manager.input.draft.arguments["scopes"]?.array == [.string("root")])
        #expect(manager.input.draft.arguments["days"] == .integer(7))
    }

    @Test(
        "The parser's refusals name the option",
        arguments: [
            (["--days", "0"], "--days must be from 1 to 36500."), (["--days", "36501"], "--days must be from"),
            (["--days", "x"], "The value 'x' is invalid for '--days <days>'"),
            (["--container"], "Missing value for '--container <container>'"),
        ])
    func refusals(words: [String], reason: String) {
        do {
            _ = try ManagementTokenCommand.Create.parse(["--name", "n"] + words)
            Issue.record("\(words) passed")
        } catch {
            #expect(ManagementTokenCommand.Create.message(for: error).hasPrefix(reason))
        }
        #expect(throws: (any Error).self) { try ManagementTokenCommand.Create.parse([]) }
    }
}
