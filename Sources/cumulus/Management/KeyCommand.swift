import ArgumentParser
import CloudModel
import CloudOperations
import Foundation

struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Add, list and revoke server-to-server keys.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Register a public key and print the key ID that requests are to name.",
            discussion: """
                Make a key with 'openssl ecparam -name prime256v1 -genkey -noout -out eckey.pem' and register the \
                public half: 'openssl ec -in eckey.pem -pubout | cumulus key add - --container … --environment …'.
                """)
        @Argument(help: "A PEM file with the P-256 public key, or - for standard input.") var file: String
        @Option(help: .of(\NewServerKey.place.container)) var container: String
        @Option(help: .of(\NewServerKey.place.environment)) var environment: ContainerEnvironment
        @Option(help: .of(\NewServerKey.name)) var name: String = "server"
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let bytes =
                file == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: file)
            guard let bytes else { throw Complaint("cannot read \(file)") }
            let key = try await operations.run(ServerKeyOperations.add) {
                $0.set(\.place.container, to: container)
                $0.set(\.place.environment, to: environment)
                $0.set(\.name, to: name)
                $0.set(\.publicKey, to: String(decoding: bytes, as: UTF8.self))
            }
            return Report(
                key.keyID, remark: "Requests signed with it act as user \(key.userRecordName) in the public database.",
                answer: key)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List server-to-server keys, revoked ones too.")
        @Option(help: .of(\ContainerPage.container)) var container: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ServerKeyOperations.list) { $0.set(\.container, to: container) },
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

    struct Revoke: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Refuse a key from now on.")
        @Argument(help: .of(\ServerKeyChoice.keyID)) var id: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            _ = try await operations.run(ServerKeyOperations.revoke) { $0.set(\.keyID, to: id) }
            return Report("Revoked key \(id).", json: .members(["keyID": .string(id)]))
        }
    }
}
