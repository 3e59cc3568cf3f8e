import ArgumentParser

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
        subcommands: [
            Serve.self, Health.self, ContainerCommand.self, TokenCommand.self, ManagementTokenCommand.self,
            KeyCommand.self, UserCommand.self, SchemaCommand.self, RoleCommand.self, SessionCommand.self,
            PageCommand.self, WebhookCommand.self, ExportCommand.self, ImportCommand.self, CloneCommand.self,
            SettingsCommand.self,
        ])
}
