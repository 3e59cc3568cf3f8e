import ArgumentParser
import CloudModel
import CloudOperations

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Create, list, confirm, disable, enable, export and delete users and set their passwords.",
        subcommands: [
            Create.self, List.self, Confirm.self, Disable.self, Enable.self, SetPassword.self, Usage.self, Export.self,
            Delete.self,
        ], aliases: ["people"])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Create a user.")
        static let makesFolder = true
        @Argument(help: .of(\UserChoice.email)) var email: String
        @Option(help: .of(\NewUser.givenName)) var givenName: String?
        @Option(help: .of(\NewUser.familyName)) var familyName: String?
        @Option(help: .of(\NewUser.phone)) var phone: String?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let account = try await operations.run(UserOperations.create) {
                $0.set(\.email, to: email)
                $0.set(\.givenName, to: givenName)
                $0.set(\.familyName, to: familyName)
                $0.set(\.phone, to: phone)
            }
            return Report(
                "Created user \(account.email).", remark: "Next: cumulus user set-password \(account.email)",
                answer: account)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the users.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(UserOperations.list), empty: "There are no users yet.",
                columns: ["EMAIL", "NAME", "PHONE", "PASSWORD", "STATE"],
                row: {
                    [
                        $0.email, [$0.givenName, $0.familyName].compactMap(\.self).joined(separator: " "),
                        $0.phone ?? "", $0.hasPassword ? "set" : "none",
                        $0.disabled ? "disabled" : $0.emailVerified ? "active" : "unverified",
                    ]
                })
        }
    }

    struct Confirm: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a user's address for confirmed.",
            discussion: "For somebody who registered and got no code. Make sure that the address is theirs.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let account = try await operations.run(UserOperations.confirm) { $0.set(\.email, to: email) }
            return Report("Confirmed the address of \(account.email).", answer: account)
        }
    }

    struct Disable: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Disable a user and end all their sessions.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let account = try await operations.run(UserOperations.disable) { $0.set(\.email, to: email) }
            return Report("Disabled user \(account.email).", answer: account)
        }
    }

    struct Enable: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Enable a disabled user again.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let account = try await operations.run(UserOperations.enable) { $0.set(\.email, to: email) }
            return Report("Enabled user \(account.email).", answer: account)
        }
    }

    struct SetPassword: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a user's password, asked for on the terminal or read from standard input.",
            discussion: "It signs the user out everywhere: of browsers and of apps.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            // Check for the account before asking for a password.
            _ = try await operations.run(UserOperations.show) { $0.set(\.email, to: email) }
            let account = try await operations.run(UserOperations.setPassword) {
                $0.set(\.email, to: email)
                $0.set(\.password, to: try Terminal.newPassword())
            }
            return Report("Set the password of \(account.email).", answer: account)
        }
    }
}
