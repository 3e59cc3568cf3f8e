import ArgumentParser
import CloudAccounts
import CloudModel
import CloudOperations

struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "Choose who may sign in to the console, and what they may do there.",
        subcommands: [Add.self, List.self, SetRole.self, ResetSecondFactor.self, Remove.self])

    struct Add: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Let a user into the console, and print the code that they set up their authenticator app with.",
            discussion: """
                They sign in with their password and set up an authenticator app then, within a week. The code is not \
                shown again. The console has to be open: console.enabled.
                """)
        static let operation = OperatorOperations.add
        static let arguments: [InputArgument<NewOperator>] = [.argument(\.email), .option(\.role, or: .viewer)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ added: OperatorInfo) -> Report {
            Report(
                added.enrolmentCode ?? "",
                remark: "\(added.name) may sign in to the console as \(added.role.rawValue), and sets up an "
                    + "authenticator app with this code.", answer: added)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the operators.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(OperatorOperations.list), empty: "There are no operators yet.",
                columns: ["EMAIL", "ROLE", "SECOND FACTOR", "STATE"],
                row: {
                    [
                        $0.name, $0.role.rawValue, $0.hasSecondFactor ? "set" : "none",
                        $0.disabled ? "disabled" : "active",
                    ]
                })
        }
    }

    struct SetRole: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-role",
            abstract: "Give an operator another role, and sign them out of the console.")
        static let operation = OperatorOperations.setRole
        static let arguments: [InputArgument<OperatorRoleChange>] = [.argument(\.email), .argument(\.role)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ changed: OperatorInfo) -> Report {
            Report("\(changed.name) is \(changed.role.rawValue) now.", answer: changed)
        }
    }

    struct ResetSecondFactor: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-second-factor",
            abstract: "Forget an operator's authenticator app, and print the code that they set up the next one with.",
            discussion: "For somebody who has lost the app and the recovery codes. It signs them out of the console.")
        static let operation = OperatorOperations.resetSecondFactor
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ changed: OperatorInfo) -> Report {
            Report(
                changed.enrolmentCode ?? "",
                remark: "\(changed.name) sets up another authenticator app with this code, within a week.",
                answer: changed)
        }
    }

    struct Remove: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Close the console to an operator, and forget their authenticator app.",
            discussion: "The last owner stays.")
        static let operation = OperatorOperations.remove
        static let arguments: [InputArgument<OperatorRemoval>] = [.argument(\.email), .flag(\.made)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ outcome: RevocationInfo) throws -> Report {
            Report(
                "\(try input[\.email]) is no operator any more.", remark: outcome.remark(hint: nil), answer: outcome)
        }
    }
}

extension OperatorRole: ExpressibleByArgument {}
