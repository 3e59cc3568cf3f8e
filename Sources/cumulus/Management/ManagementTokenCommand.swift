import ArgumentParser
import CloudAccounts
import CloudModel
import CloudOperations
import Foundation

struct ManagementTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "management-token",
        abstract: "Create, list and revoke the tokens that commands and programs manage a server with over HTTP.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Create a management token and print it, for the only time.",
            discussion: """
                With --server a command takes it from the variable \(ManagementTokenSource.variable) or from a file, and \
                speaks to a server anywhere. docs/admin-api.md tells what each scope is good for.
                """)
        static let operation = ManagementTokenOperations.create
        static let arguments: [InputArgument<NewManagementToken>] = [
            .option(\.container), .option(\.name), .options(\.scopes), .option(\.days),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws { try input.checkLimits() }

        func report(_ token: ManagementTokenInfo) throws -> Report {
            let place = try input[\.container] ?? "all containers"
            return Report(
                token.token ?? "", remark: "Management token \(token.id) of \(place). It is not shown again.",
                answer: token)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List management tokens by id and first characters.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ManagementTokenOperations.list), empty: "There are no management tokens yet.",
                columns: ["ID", "TOKEN", "CONTAINER", "NAME", "SCOPES", "EXPIRES"],
                row: {
                    [
                        "\($0.id)", $0.hint + "…", $0.container ?? "all", $0.name,
                        $0.scopes.map(\.rawValue).joined(separator: " "),
                        $0.expires.map { $0.shown } ?? "never",
                    ]
                })
        }
    }

    struct Revoke: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Refuse a management token from now on, and tell what it has made.")
        static let operation = ManagementTokenOperations.revoke
        static let arguments: [InputArgument<ManagementTokenRevocation>] = [
            .argument(\.id, help: "Its id, as 'cumulus management-token list' shows it."), .flag(\.made),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ outcome: RevocationInfo) throws -> Report {
            let id = try input[\.id]
            return Report(
                "Revoked management token \(id).",
                remark: outcome.remark(hint: "'cumulus management-token revoke \(id) --made' revokes that too."),
                answer: outcome)
        }
    }
}

extension RevocationInfo {
    /// Lists the credentials made by a revoked token; nil if there are none.
    ///
    /// - Parameter hint: how to revoke the remaining credentials.
    func remark(hint: String?) -> String? {
        guard count > 0 else { return nil }
        let lines = made.map { "  \($0.kind.words) \($0.id)" + ($0.name == $0.id ? "" : " (\($0.name))") }
        let more = count > made.count ? ["  and \(count - made.count) more"] : []
        let head = areRevoked ? "Revoked also:" : "It has made:"
        return ([head] + lines + more + (areRevoked ? [] : [hint].compactMap(\.self))).joined(separator: "\n")
    }
}

extension MadeCredential.Kind {
    fileprivate var words: String {
        switch self {
        case .managementToken: "management token"
        case .apiToken: "API token"
        case .serverKey: "server key"
        case .webhook: "webhook"
        case .session: "session"
        case .operator: "operator"
        }
    }
}
