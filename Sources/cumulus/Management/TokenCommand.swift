import ArgumentParser
import CloudModel
import CloudOperations

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create, list and revoke API tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create an API token and print it, for the only time.")
        static let operation = APITokenOperations.create
        static let arguments: [InputArgument<NewAPIToken>] = [
            .option(\.place.container), .option(\.place.environment), .option(\.name), .options(\.allowedOrigins),
            .option(\.signInCallback), .options(\.audiences),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ token: APITokenInfo) throws -> Report {
            let place = try input[\.place]
            var remark =
                "API token \(token.id) of \(place.container), \(place.environment.rawValue). It is not shown again."
            if try input[\.allowedOrigins].isEmpty, try input[\.signInCallback] == nil {
                remark +=
                    "\nPages of any web site may use it and ask users to sign in with it; --allowed-origin names those "
                    + "that may."
            }
            return Report(token.token ?? "", remark: remark, answer: token)
        }
    }

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List API tokens by id and first characters.")
        static let arguments: [InputArgument<ContainerPage>] = [.option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(APITokenOperations.list, input.draft),
                empty: "There are no API tokens yet.",
                columns: [
                    "ID", "TOKEN", "CONTAINER", "ENVIRONMENT", "NAME", "ALLOWED ORIGINS", "SIGN-IN CALLBACK",
                    "AUDIENCES",
                ],
                row: {
                    [
                        "\($0.id)", $0.hint + "…", $0.container, $0.environment.rawValue, $0.name,
                        $0.allowedOrigins.isEmpty ? "any" : $0.allowedOrigins.joined(separator: " "),
                        $0.signInCallback ?? "postMessage",
                        $0.audiences.isEmpty ? "none" : $0.audiences.joined(separator: " "),
                    ]
                })
        }
    }

    struct Revoke: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revoke an API token and end the sessions begun with it.")
        static let operation = APITokenOperations.revoke
        static let arguments: [InputArgument<RowChoice>] = [
            .argument(\.id, help: "Its id, as 'cumulus token list' shows it.")
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let id = try input[\.id]
            return Report("Revoked API token \(id).", json: .members(["id": .integer(id)]))
        }
    }
}
