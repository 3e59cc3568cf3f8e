import ArgumentParser

/// Plays real data into a running development server and checks every answer.
@main
struct CumulusDemo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cumulus-demo",
        abstract: "Plays real data into a Cumulus server started with --dev, and checks every answer.",
        subcommands: [PlayCommand.self, SignInCommand.self], defaultSubcommand: PlayCommand.self)
}
