import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Add, list and revoke server-to-server keys.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register a public key and print the key ID that requests are to name.",
            discussion: """
                Make a key with 'openssl ecparam -name prime256v1 -genkey -noout -out eckey.pem' and register the \
                public half: 'openssl ec -in eckey.pem -pubout | cumulus key add - --container … --environment …'.
                """)
        static let arguments: [InputArgument<NewServerKey>] = [
            .option(\.place.container), .option(\.place.environment), .option(\.name, or: "server"),
        ]
        @Argument(help: "A PEM file with the P-256 public key, or - for standard input.") var file: String
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let bytes =
                file == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: file)
            guard let bytes else { throw Complaint("cannot read \(file)") }
            var draft = input.draft
            draft.set(\.publicKey, to: String(decoding: bytes, as: UTF8.self))
            let key = try await operations.run(ServerKeyOperations.add, draft)
            return Report(
                key.keyID, remark: "Requests signed with it act as user \(key.userRecordName) in the public database.",
                answer: key)
        }
    }

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List server-to-server keys, revoked ones too.")
        static let arguments: [InputArgument<ContainerPage>] = [.option(\.container)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ServerKeyOperations.list, input.draft),
                empty: "There are no keys yet.",
                columns: ["KEY ID", "CONTAINER", "ENVIRONMENT", "NAME", "USER", "STATE"],
                row: {
                    [
                        $0.keyID, $0.container, $0.environment.rawValue, $0.name, $0.userRecordName,
                        $0.revoked ? "revoked" : "active",
                    ]
                })
        }
    }

    struct Revoke: OperationCommand {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Refuse a key from now on.")
        static let operation = ServerKeyOperations.revoke
        static let arguments: [InputArgument<ServerKeyChoice>] = [.argument(\.keyID, named: "id")]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let id = try input[\.keyID]
            return Report("Revoked key \(id).", json: .members(["keyID": .string(id)]))
        }
    }
}
