import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore

struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "Choose who may sign in to the console, and what they may do there.",
        subcommands: [Add.self, List.self, SetRole.self, ResetSecondFactor.self, Remove.self])

    struct Add: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a user into the console, and print the code that they set up their authenticator app with.",
            discussion: """
                They sign in with their password and set up an authenticator app then, within a week. The code is not \
                shown again. The console has to be open: console.enabled.
                """)
        @Argument(help: .of(\NewOperator.email)) var email: String
        @Option(help: .of(\NewOperator.role))
        var role = OperatorRole.viewer
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let added = try await operations.run(OperatorOperations.add) {
                $0.set(\.email, to: email)
                $0.set(\.role, to: role)
            }
            return Report(
                added.enrolmentCode ?? "",
                remark: "\(added.email) may sign in to the console as \(added.role.rawValue), and sets up an "
                    + "authenticator app with this code.", answer: added)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the operators.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(OperatorOperations.list), empty: "There are no operators yet.",
                columns: ["EMAIL", "ROLE", "SECOND FACTOR", "STATE"],
                row: {
                    [
                        $0.email, $0.role.rawValue, $0.hasSecondFactor ? "set" : "none",
                        $0.disabled ? "disabled" : "active",
                    ]
                })
        }
    }

    struct SetRole: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an operator another role, and sign them out of the console.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @Argument(help: .of(\OperatorRoleChange.role)) var role: OperatorRole
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let changed = try await operations.run(OperatorOperations.setRole) {
                $0.set(\.email, to: email)
                $0.set(\.role, to: role)
            }
            return Report("\(changed.email) is \(changed.role.rawValue) now.", answer: changed)
        }
    }

    struct ResetSecondFactor: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget an operator's authenticator app, and print the code that they set up the next one with.",
            discussion: "For somebody who has lost the app and the recovery codes. It signs them out of the console.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let changed = try await operations.run(OperatorOperations.resetSecondFactor) { $0.set(\.email, to: email) }
            return Report(
                changed.enrolmentCode ?? "",
                remark: "\(changed.email) sets up another authenticator app with this code, within a week.",
                answer: changed)
        }
    }

    struct Remove: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Close the console to an operator, and forget their authenticator app.",
            discussion: "The last owner stays.")
        @Argument(help: .of(\UserChoice.email)) var email: String
        @Flag(help: .of(\OperatorRemoval.made)) var made = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let outcome = try await operations.run(OperatorOperations.remove) {
                $0.set(\.email, to: email)
                $0.set(\.made, to: made)
            }
            return Report(
                "\(email) is no operator any more.", remark: outcome.remark(hint: nil), answer: outcome)
        }
    }
}

extension OperatorRole: ExpressibleByArgument {}
