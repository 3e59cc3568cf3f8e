import ArgumentParser
import CloudModel
import CloudOperations

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Create, list, confirm, disable, enable, export and delete users and set their addresses and passwords.",
        subcommands: [
            Create.self, List.self, Confirm.self, Disable.self, Enable.self, SetAddress.self, SetPassword.self,
            Usage.self,
            Export.self, Delete.self,
        ], aliases: ["people"])

    struct Create: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a user.")
        static let makesFolder = true
        static let arguments: [InputArgument<NewUser>] = [
            .argument(\.email), .option(\.givenName), .option(\.familyName), .option(\.phone),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let account = try await operations.run(UserOperations.create, input.draft)
            // Another server's settings may be hidden from the token.
            let settings = try? await operations.run(SettingOperations.list, [:]).items
            let takesPasswords = settings?.first { $0.name == "signIn.passwords" }?.value != "off"
            return Report(
                "Created user \(account.name).",
                remark: takesPasswords
                    ? "Next: cumulus user set-password \(account.name)"
                    : "Passwords are off. The person signs in at a provider that proves this address.",
                answer: account)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(UserOperations.list), empty: "There are no users yet.",
                columns: ["EMAIL", "NAME", "PHONE", "PASSWORD", "STATE"],
                row: {
                    [
                        $0.name, [$0.givenName, $0.familyName].compactMap(\.self).joined(separator: " "),
                        $0.phone ?? "", $0.hasPassword ? "set" : "none",
                        $0.disabled ? "disabled" : $0.emailVerified || $0.email == nil ? "active" : "unverified",
                    ]
                })
        }
    }

    struct Confirm: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Take a user's address for confirmed.",
            discussion: "For somebody who registered and got no code. Make sure that the address is theirs.")
        static let operation = UserOperations.confirm
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ account: UserInfo) -> Report {
            Report("Confirmed the address of \(account.name).", answer: account)
        }
    }

    struct Disable: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disable a user and end all their sessions.")
        static let operation = UserOperations.disable
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ account: UserInfo) -> Report {
            Report("Disabled user \(account.name).", answer: account)
        }
    }

    struct Enable: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enable a disabled user again.")
        static let operation = UserOperations.enable
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ account: UserInfo) -> Report {
            Report("Enabled user \(account.name).", answer: account)
        }
    }

    struct SetPassword: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-password",
            abstract: "Set a user's password, asked for on the terminal or read from standard input.",
            discussion: "It signs the user out everywhere: of browsers and of apps.")
        static let arguments: [InputArgument<NewPassword>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            // Check for the account before asking for a password.
            let email = try input[\.email]
            _ = try await operations.run(UserOperations.show) { $0.set(\.email, to: email) }
            var draft = input.draft
            draft.set(\.password, to: try Terminal.newPassword())
            let account = try await operations.run(UserOperations.setPassword, draft)
            return Report("Set the password of \(account.name).", answer: account)
        }
    }
}
