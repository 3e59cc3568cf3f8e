import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign users in from scripts, and list and end sessions.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Sign a user in and print the web auth token.",
            discussion: "The token goes with any API token of the container and environment.")
        static let operation = SessionOperations.create
        static let arguments: [InputArgument<NewSessionChoice>] = [
            .option(\.place.container), .option(\.place.environment), .option(\.email), .flag(\.persistent),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ session: NewSession) throws -> Report {
            let (email, container) = (try input[\.email], try input[\.place.container])
            return Report(
                session.ckWebAuthToken,
                remark: "\(email) is \(session.userRecordName) in \(container). Percent-encode the token in a URL.",
                answer: session)
        }
    }
    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List who is signed in where: apps, and browsers on the server's own pages.")
        static let arguments: [InputArgument<SessionPage>] = [.option(\.email), .option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(SessionOperations.list, input.draft)
                    .sorted { ($0.name, $1.lastUsed) < ($1.name, $0.lastUsed) },
                empty: "Nobody is signed in.",
                columns: ["ID", "EMAIL", "CONTAINER", "ENVIRONMENT", "API TOKEN", "LAST USED", "EXPIRES"],
                row: {
                    [
                        $0.id, $0.name, $0.container ?? "browser", $0.environment?.rawValue ?? "",
                        $0.container == nil ? "" : $0.apiToken ?? "any", $0.lastUsed.shown,
                        $0.expires.shown,
                    ]
                })
        }
    }

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "End one session, or all of a user.",
            discussion: "Whoever held it has to sign in again. ")
        @Argument(help: "Its id, as 'cumulus session list' shows it.") var id: String?
        @Option(help: "The user whose sessions all end.") var email: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (id == nil) != (email == nil) else { throw ValidationError("Name a session's id, or --email.") }
        }

        func perform(_ operations: any Operations) async throws -> Report {
            if let email {
                let count = try await operations.run(SessionOperations.revokeAll) { $0.set(\.email, to: email) }.count
                return Report(
                    "Ended \(Counted.text(count, "session")) of \(email).",
                    json: .members(["email": .string(email), "ended": .integer(Int64(count))]))
            }
            let id = id ?? ""
            _ = try await operations.run(SessionOperations.revoke) { $0.set(\.id, to: id) }
            return Report("Ended session \(id).", json: .members(["id": .string(id)]))
        }
    }
}
