import ArgumentParser
import CloudAccounts
import CloudModel
import CloudOperations
import Foundation

struct ProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider", abstract: "Let people sign in at Google, Apple, Keycloak and others.",
        subcommands: [Add.self, List.self, Update.self, Remove.self, Test.self])

    struct Add: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Let people sign in at a provider.",
            discussion: """
                The client secret, or Apple's .p8 file, comes from a file or standard input, and is not shown again. \
                'cumulus provider test' then prints the redirect address to register, and says what is missing.
                """)
        static let arguments: [InputArgument<NewProvider>] = [
            .argument(\.name), .option(text: \.kind, or: "oidc"), .option(\.clientID),
            .option(\.options.title), .option(\.options.issuer), .option(text: \.options.clientAuthentication),
            .options(\.options.scopes), .onOff(\.options.allowsHTTP), .onOff(\.options.trustsAddresses),
            .onOff(\.options.startsAtOnce), .option(text: \.options.admission), .options(\.options.admitted),
            .option(\.options.groupsClaim), .options(\.options.roles), .options(\.options.nativeAudiences),
            .options(\.options.tenants),
            .option(\.options.team), .option(\.options.keyID),
        ]
        @Option(name: .customLong("secret-file"), help: "A file with the secret, or - for standard input.")
        var file: String
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            var draft = input.draft
            draft.set(\.secret, to: try ProviderSecretFile.text(of: file))
            let added = try await operations.run(ProviderOperations.add, draft)
            return Report(
                added.redirectPath,
                remark: "People sign in at \(added.title) once the provider knows this server's origin with this path "
                    + "as a redirect address; 'cumulus provider test \(added.name)' checks that.", answer: added)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the providers.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ProviderOperations.list), empty: "There are no providers yet.",
                columns: ["NAME", "KIND", "TITLE", "ADMITS", "ISSUER"],
                row: { [$0.name, $0.kind.rawValue, $0.title, $0.admits, $0.issuer] })
        }
    }

    struct Update: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Change a provider; what is left out stays.",
            discussion: "An issuer at another host or port, or without TLS, needs the secret again.")
        static let arguments: [InputArgument<ProviderChange>] = [
            .argument(\.name), .option(\.clientID),
            .option(\.options.title), .option(\.options.issuer), .option(text: \.options.clientAuthentication),
            .options(\.options.scopes), .onOff(\.options.allowsHTTP), .onOff(\.options.trustsAddresses),
            .onOff(\.options.startsAtOnce), .option(text: \.options.admission), .options(\.options.admitted),
            .option(\.options.groupsClaim), .options(\.options.roles), .options(\.options.nativeAudiences),
            .options(\.options.tenants),
            .option(\.options.team), .option(\.options.keyID),
        ]
        @Option(name: .customLong("secret-file"), help: "A file with another secret, or - for standard input.")
        var file: String?
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            var draft = input.draft
            if let file { draft.set(\.secret, to: try ProviderSecretFile.text(of: file)) }
            let changed = try await operations.run(ProviderOperations.update, draft)
            return Report("Changed provider \(changed.name).", answer: changed)
        }
    }

    struct Remove: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Let nobody sign in at a provider any more.",
            discussion: "Accounts stay connected, and work again with a provider of the same issuer.")
        static let operation = ProviderOperations.remove
        static let arguments: [InputArgument<ProviderChoice>] = [.argument(\.name)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let name = try input[\.name]
            return Report("Removed provider \(name).", json: .members(["name": .string(name)]))
        }
    }

    struct Test: AsyncParsableCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Ask a provider for all that a sign-in needs, and say what is wrong.",
            discussion: "Prints the redirect address to register. The exit code is 1 if anything is wrong.")
        static let arguments: [InputArgument<ProviderChoice>] = [.argument(\.name)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let found: ProviderTestInfo
            do {
                found = try await access.operations().run(ProviderOperations.test, input.draft)
            } catch {
                throw Complaint(error)
            }
            let lines = found.steps.map { step in
                "\(Self.word(step.outcome))  \(step.name): \(step.text)"
                    + (step.remedy.map { "\n         \($0)" } ?? "")
            }
            Report(lines.joined(separator: "\n"), answer: found).print(asJSON: output.json)
            if !found.isGood { throw ExitCode.failure }
        }

        private static func word(_ outcome: ProviderStep.Outcome) -> String {
            switch outcome {
            case .good: "ok     "
            case .wrong: "wrong  "
            case .unknown: "unknown"
            }
        }
    }
}

/// The secret of a provider, as commands take it.
private enum ProviderSecretFile {
    /// The text of a file without line ends around it.
    static func text(of file: String) throws -> String {
        let bytes =
            file == "-" ? try FileHandle.standardInput.readToEnd() : FileManager.default.contents(atPath: file)
        guard let bytes else { throw Complaint("cannot read \(file)") }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
