import ArgumentParser
import CloudModel
import CloudStore
import Foundation

struct ManagementTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "management-token",
        abstract: "Create, list and revoke the tokens that schemas and roles are changed with over HTTP.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a management token and print it, for the only time.",
            discussion: """
                'cumulus schema' and 'cumulus role' take it from the variable \(ManagementTokenSource.variable) or \
                from a file, and speak to a server anywhere with it.
                """)
        @Option(help: "The only container it is for; without this it is for all.") var container: String?
        @Option(help: "A name to know it by.") var name: String
        @Option(help: "Days it is good for; without this until it is revoked.") var days: Int?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let days, !(1...36_500).contains(days) { throw ValidationError("--days is from 1 to 36500.") }
        }

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let (text, token) = try await accounts.createManagementToken(
                container: container, name: name, lifetime: days.map { .seconds($0 * 86400) })
            return Report(
                text,
                remark: "Management token \(token.id) of \(container ?? "all containers"). It is not shown again.",
                json: token.json(text: text))
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "List management tokens by id and first characters.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            .list(
                try await accounts.managementTokens(), empty: "There are no management tokens yet.",
                columns: ["ID", "TOKEN", "CONTAINER", "NAME", "EXPIRES"],
                row: {
                    [
                        "\($0.id)", $0.hint + "…", $0.container ?? "all", $0.name,
                        $0.expires.map { $0.date.formatted(.iso8601) } ?? "never",
                    ]
                }, json: { $0.json(text: nil) })
        }
    }

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Refuse a management token from now on.")
        @Argument(help: "Its id, as 'cumulus management-token list' shows it.") var id: Int
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            try await accounts.revokeManagementToken(id: Int64(id))
            return Report("Revoked management token \(id).", json: .members(["id": .integer(Int64(id))]))
        }
    }
}

extension ManagementToken {
    fileprivate func json(text: String?) -> JSONValue {
        .members([
            "id": .integer(id), "token": .text(text), "hint": .string(hint), "container": .text(container),
            "name": .string(name), "created": .date(created), "expires": expires.map(JSONValue.date),
        ])
    }
}
