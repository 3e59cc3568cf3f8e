import ArgumentParser
import CloudModel
import CloudOperations

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke API tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an API token and print it, for the only time.")
        @Option(help: .of(\NewAPIToken.place.container)) var container: String
        @Option(help: .of(\NewAPIToken.place.environment)) var environment: ContainerEnvironment
        @Option(help: .of(\NewAPIToken.name)) var name: String
        @Option(
            name: .customLong("allowed-origin"),
            help: .of(\NewAPIToken.allowedOrigins))
        var allowedOrigins: [String] = []
        @Option(help: .of(\NewAPIToken.signInCallback)) var signInCallback: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let token = try await operations.run(APITokenOperations.create) {
                $0.set(\.place.container, to: container)
                $0.set(\.place.environment, to: environment)
                $0.set(\.name, to: name)
                $0.set(\.allowedOrigins, to: allowedOrigins)
                $0.set(\.signInCallback, to: signInCallback)
            }
            var remark = "API token \(token.id) of \(container), \(environment.rawValue). It is not shown again."
            if allowedOrigins.isEmpty, signInCallback == nil {
                remark +=
                    "\nPages of any web site may use it and ask users to sign in with it; --allowed-origin names those "
                    + "that may."
            }
            return Report(token.token ?? "", remark: remark, answer: token)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List API tokens by id and first characters.")
        @Option(help: .of(\ContainerPage.container)) var container: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(APITokenOperations.list) { $0.set(\.container, to: container) },
                empty: "There are no API tokens yet.",
                columns: ["ID", "TOKEN", "CONTAINER", "ENVIRONMENT", "NAME", "ALLOWED ORIGINS", "SIGN-IN CALLBACK"],
                row: {
                    [
                        "\($0.id)", $0.hint + "…", $0.container, $0.environment.rawValue, $0.name,
                        $0.allowedOrigins.isEmpty ? "any" : $0.allowedOrigins.joined(separator: " "),
                        $0.signInCallback ?? "postMessage",
                    ]
                })
        }
    }

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke an API token and end the sessions begun with it.")
        @Argument(help: "Its id, as 'cumulus token list' shows it.") var id: Int
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            _ = try await operations.run(APITokenOperations.revoke) { $0.set(\.id, to: Int64(id)) }
            return Report("Revoked API token \(id).", json: .members(["id": .integer(Int64(id))]))
        }
    }
}
