import ArgumentParser

/// What comes before a page rule: a development server makes the container that somebody signs in to, and no other
/// server lets anybody in.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign somebody in to a container, which makes both where they are missing.")

    @OptionGroup var server: ServerOptions

    @Option(help: "The container to sign in to.")
    var container: String

    @Option(help: "Who signs in.")
    var email: String

    func run() async throws {
        try await server.perform { server, _ in _ = try await server.signIn(email, to: container) }
    }
}
