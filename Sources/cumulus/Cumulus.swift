import ArgumentParser
import CloudModel
import Foundation

/// The program: `cumulus serve`, and the commands an operator manages it with.
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
        subcommands: [
            Serve.self, ExecCommand.self, Health.self, ContainerCommand.self, TokenCommand.self,
            ManagementTokenCommand.self, KeyCommand.self, UserCommand.self, OperatorCommand.self, SchemaCommand.self,
            RoleCommand.self,
            SessionCommand.self,
            PageCommand.self, WebhookCommand.self, RecordsCommand.self, ShareCommand.self, ExportCommand.self,
            ImportCommand.self, CloneCommand.self, BackupCommand.self, CheckCommand.self, DoctorCommand.self,
            ActAsCommand.self, AuditCommand.self, LogsCommand.self, WhyCommand.self, SettingsCommand.self,
        ] + CKTool.commands)

    static func main() async {
        // What a command makes is its owner's alone, in whatever folder it is.
        umask(0o077)
        await main(nil)
    }
}
