import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore
import Foundation

struct ManagementTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "management-token",
        abstract: "Create, list and revoke the tokens that commands and programs manage a server with over HTTP.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a management token and print it, for the only time.",
            discussion: """
                With --server a command takes it from the variable \(ManagementTokenSource.variable) or from a file, and \
                speaks to a server anywhere. docs/admin-api.md tells what each scope is good for.
                """)
        @Option(help: .of(\NewManagementToken.container)) var container: String?
        @Option(help: .of(\NewManagementToken.name)) var name: String
        @Option(name: .customLong("scope"), help: .of(\NewManagementToken.scopes, valueName: "scope"))
        var scopes: [String] = []
        @Option(help: .of(\NewManagementToken.days)) var days: Int?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let days, !(1...36_500).contains(days) { throw ValidationError("--days must be from 1 to 36500.") }
        }

        func perform(_ operations: any Operations) async throws -> Report {
            let token = try await operations.run(
                ManagementTokenOperations.create,
                [
                    "container": .text(container), "name": .string(name),
                    "scopes": scopes.isEmpty ? nil : .array(scopes.map(JSONValue.string)),
                    "days": days.map { .integer(Int64($0)) },
                ])
            return Report(
                token.token ?? "",
                remark: "Management token \(token.id) of \(container ?? "all containers"). It is not shown again.",
                answer: token)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(
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

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Refuse a management token from now on, and tell what it has made.")
        @Argument(help: "Its id, as 'cumulus management-token list' shows it.") var id: Int
        @Flag(help: .of(\ManagementTokenRevocation.made)) var made = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let outcome = try await operations.run(ManagementTokenOperations.revoke) {
                $0.set(\.id, to: Int64(id))
                $0.set(\.made, to: made)
            }
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
