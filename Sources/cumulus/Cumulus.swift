import ArgumentParser
import CloudModel
import Foundation

/// The program: `cumulus serve` and operators' management commands.
@main
struct Cumulus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus",
        abstract: "Cumulus, the self-hosted CloudKit.",
        discussion: """
            'cumulus serve' runs the server. The other commands manage its data folder, whether or not a server is \
            running on it; what they change holds for the next request.
            """,
        version: ProgramVersion.long,
        subcommands: CKTool.commands + [DocumentCommand.self],
        groupedSubcommands: [
            CommandGroup(
                name: "Run",
                subcommands: [
                    Serve.self, ExecCommand.self, Health.self, DoctorCommand.self, SettingsCommand.self,
                    BackupCommand.self,
                ]),
            CommandGroup(
                name: "App",
                subcommands: [
                    ContainerCommand.self, TokenCommand.self, KeyCommand.self, SchemaCommand.self, PageCommand.self,
                    WebhookCommand.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    UserCommand.self, SessionCommand.self, ProviderCommand.self, RoleCommand.self, OperatorCommand.self,
                    ManagementTokenCommand.self,
                ]),
            CommandGroup(
                name: "Data",
                subcommands: [
                    RecordsCommand.self, ShareCommand.self, ExportCommand.self, ImportCommand.self, CloneCommand.self,
                    CheckCommand.self,
                ]),
            CommandGroup(
                name: "Look", subcommands: [LogsCommand.self, WhyCommand.self, ActAsCommand.self, AuditCommand.self]),
        ])

    static func main() async {
        // Files that a command creates belong to their owner alone, in any folder.
        umask(0o077)
        do {
            var command = try await asyncParseAsRoot(nil)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            end(error)
        }
    }

    /// Exits the program with an error message or requested help.
    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        if code == .validationFailure, let wrong = WrongWord(in: Array(CommandLine.arguments.dropFirst()), of: self) {
            Terminal.tell(PlainText.block(wrong.text) + "\n")
            exit(withError: code)
        }
        // Help text would otherwise use the terminal's full width.
        if Terminal.width > Table.widest { setenv("COLUMNS", "\(Table.widest)", 1) }
        let text = fullMessage(for: error)
        if text.isEmpty { exit(withError: error) }
        if code.isSuccess {
            let isHelp = text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ")
            print(isHelp ? narrowed(text) : text)
        } else {
            Terminal.tell(narrowed(text) + "\n")
        }
        exit(withError: code)
    }

    /// Help, or an error, whose line of usage goes on below.
    static func narrowed(_ help: String) -> String {
        help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > Table.widest, line.lowercased().hasPrefix("usage: ") else { return String(line) }
            return Table.wrap(String(line), Table.widest - 4).joined(separator: "\n    ")
        }.joined(separator: "\n")
    }
}
