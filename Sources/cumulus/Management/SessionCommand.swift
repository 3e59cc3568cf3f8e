import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign users in from scripts, and list and end sessions.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a user in and print the web auth token.",
            discussion: "The token goes with any API token of the container and environment.")
        @Option(help: .of(\NewSessionChoice.place.container)) var container: String
        @Option(help: .of(\NewSessionChoice.place.environment)) var environment: ContainerEnvironment
        @Option(help: .of(\NewSessionChoice.email)) var email: String
        @Flag(help: .of(\NewSessionChoice.persistent)) var persistent = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let session = try await operations.run(SessionOperations.create) {
                $0.set(\.place.container, to: container)
                $0.set(\.place.environment, to: environment)
                $0.set(\.email, to: email)
                $0.set(\.persistent, to: persistent)
            }
            return Report(
                session.ckWebAuthToken,
                remark: "\(email) is \(session.userRecordName) in \(container). Percent-encode the token in a URL.",
                answer: session)
        }
    }
    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who is signed in where: apps, and browsers on the server's own pages.")
        @Option(help: .of(\SessionPage.email)) var email: String?
        @Option(help: .of(\SessionPage.container)) var container: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(SessionOperations.list) {
                    $0.set(\.email, to: email)
                    $0.set(\.container, to: container)
                }.sorted { ($0.email, $1.lastUsed) < ($1.email, $0.lastUsed) },
                empty: "Nobody is signed in.",
                columns: ["ID", "EMAIL", "CONTAINER", "ENVIRONMENT", "API TOKEN", "LAST USED", "EXPIRES"],
                row: {
                    [
                        $0.id, $0.email, $0.container ?? "browser", $0.environment?.rawValue ?? "",
                        $0.container == nil ? "" : $0.apiToken ?? "any", $0.lastUsed.shown,
                        $0.expires.shown,
                    ]
                })
        }
    }

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(
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
