import ArgumentParser
import Traffic

/// Prints the credentials of a development user as a URL query, for wrk.
struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Signs a development user in and prints the path of the database.")

    @OptionGroup var target: Target

    func run() async throws {
        let caller = HTTPCaller(connections: 1)
        let session = try await CloudSession.signIn(
            target.email, to: target.container, at: target.origin, through: caller)
        try await caller.shutdown()
        print(session.query)
    }
}
