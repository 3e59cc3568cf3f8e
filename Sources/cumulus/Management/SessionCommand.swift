import ArgumentParser
import CloudModel
import CloudStore
import Foundation

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "Sign users in from scripts, and list and end sessions.",
        subcommands: [Create.self, List.self, Revoke.self])

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
    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who is signed in where: apps, and browsers on the server's own pages.")
        @Option(help: "Only this user's.") var email: String?
        @Option(help: "Only those of apps in this container.") var container: String?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            .list(
                try await accounts.openSessions(email: email, container: container), empty: "Nobody is signed in.",
                columns: ["ID", "EMAIL", "CONTAINER", "ENVIRONMENT", "API TOKEN", "LAST USED", "EXPIRES"],
                row: {
                    [
                        $0.id, $0.email, $0.container ?? "browser", $0.environment?.rawValue ?? "",
                        $0.container == nil ? "" : $0.apiToken ?? "any", $0.lastUsed.date.formatted(.iso8601),
                        $0.expires.date.formatted(.iso8601),
                    ]
                }, json: \.json)
        }
    }

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "End one session, or all of a user.",
            discussion: "Whoever held it has to sign in again. ")
        @Argument(help: "Its id, as 'cumulus session list' shows it.") var id: String?
        @Option(help: "The user whose sessions all end.") var email: String?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard (id == nil) != (email == nil) else { throw ValidationError("Name a session's id, or --email.") }
        }

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            if let email {
                let count = try await accounts.revokeSessions(email: email)
                return Report(
                    "Ended \(count) \(count == 1 ? "session" : "sessions") of \(email).",
                    json: .members(["email": .string(email), "ended": .integer(Int64(count))]))
            }
            let id = id ?? ""
            try await accounts.revokeSession(id: id)
            return Report("Ended session \(id).", json: .members(["id": .string(id)]))
        }
    }
}

extension OpenSession {
    fileprivate var json: JSONValue {
        .members([
            "id": .string(id), "email": .string(email), "container": .text(container),
            "environment": .text(environment?.rawValue), "apiToken": .text(apiToken), "lastUsed": .date(lastUsed),
            "expires": .date(expires),
        ])
    }
}
