import ArgumentParser
import CloudModel
import CloudStore

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign users in from scripts.", subcommands: [Create.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a user in and print the web auth token.",
            discussion: "The token goes with any API token of the container and environment.")
        @Option(help: "The container.") var container: String
        @Option(help: "The environment: development or production.") var environment: ContainerEnvironment
        @Option(help: "The user's email address.") var email: String
        @Flag(help: "Stay signed in for two weeks without use rather than half an hour.") var persistent = false
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            guard let known = try accounts.reader().container(named: container) else {
                throw Complaint("container '\(container)' does not exist; 'cumulus container create' makes one")
            }
            let session = try await accounts.createSession(
                email: email, container: known, environment: environment, persistent: persistent)
            return Report(
                session.token,
                remark: "\(email) is \(session.userRecordName) in \(container). Percent-encode the token in a URL.",
                json: .members([
                    "ckWebAuthToken": .string(session.token), "userRecordName": .string(session.userRecordName),
                    "expires": .date(session.expires),
                ]))
        }
    }
}
