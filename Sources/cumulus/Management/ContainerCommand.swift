import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore
import Foundation

struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container", abstract: "Create, list, change and delete containers.",
        subcommands: [Create.self, List.self, Update.self, Delete.self, ForgetData.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Create a container.")
        static let makesFolder = true
        @Argument(help: .of(\NewContainer.name)) var name: String
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let container = try await operations.run(ContainerOperations.create) { $0.set(\.name, to: name) }
            return Report(
                "Created container \(name).",
                remark: "Next: cumulus token create --container \(name) --environment development --name web",
                answer: container)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the containers.")
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ContainerOperations.list), empty: "There are no containers yet.",
                columns: [
                    "NAME", "JUST-IN-TIME SCHEMA", "STRICT INDEXES", "DISCOVERABLE USERS", "UNIQUE SUBSCRIPTIONS",
                    "ATOMIC ERROR STATUS",
                ],
                row: { [$0.name] + $0.switches.map { $0 ? "on" : "off" } })
        }
    }

    struct Update: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Turn a container's switches.")
        @Argument(help: .of(\ContainerChoice.container)) var name: String
        @Option(help: .of(\ContainerSwitches.justInTimeSchema))
        var justInTimeSchema: OnOff?
        @Option(help: .of(\ContainerSwitches.strictIndexes))
        var strictIndexes: OnOff?
        @Option(help: .of(\ContainerSwitches.discoverableUsers))
        var discoverableUsers: OnOff?
        @Option(help: .of(\ContainerSwitches.uniqueSubscriptions))
        var uniqueSubscriptions: OnOff?
        @Option(help: .of(\ContainerSwitches.atomicErrorStatus))
        var atomicErrorStatus: OnOff?
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            let switches = [
                justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, atomicErrorStatus,
            ]
            if switches.allSatisfy({ $0 == nil }) {
                throw ValidationError(
                    "Say what to change: --just-in-time-schema, --strict-indexes, --discoverable-users, "
                        + "--unique-subscriptions or --atomic-error-status.")
            }
        }

        func perform(_ operations: any Operations) async throws -> Report {
            let container = try await operations.run(ContainerOperations.update) {
                $0.set(\.container, to: name)
                $0.set(\.justInTimeSchema, to: justInTimeSchema?.isOn)
                $0.set(\.strictIndexes, to: strictIndexes?.isOn)
                $0.set(\.discoverableUsers, to: discoverableUsers?.isOn)
                $0.set(\.uniqueSubscriptions, to: uniqueSubscriptions?.isOn)
                $0.set(\.atomicErrorStatus, to: atomicErrorStatus?.isOn)
            }
            return Report("Changed container \(name).", answer: container)
        }
    }

    struct Delete: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a container: its records, API tokens, keys and sessions.")
        @Argument(help: .of(\ContainerChoice.container)) var name: String
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            // Check for the container before asking for consent.
            let known = try await operations.all(ContainerOperations.list).map(\.name)
            guard known.contains(name) else { throw Complaint.noContainer(name, known: known) }
            if !yes { try confirm() }
            let container = try await operations.run(ContainerOperations.delete) { $0.set(\.container, to: name) }
            return Report("Deleted container \(name).", answer: container)
        }

        private func confirm() throws {
            guard Terminal.isInteractive else {
                throw Complaint("deleting \(name) cannot be undone; add --yes to confirm")
            }
            guard Terminal.ask("Delete \(name) and all its records? Type its name to go on: ") == name else {
                throw Complaint("nothing was deleted")
            }
        }
    }
}

extension ContainerCommand {
    struct ForgetData: FolderCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget-data",
            abstract: "Accept that an environment's database is lost, so that it begins anew.",
            discussion: """
                A server refuses an environment whose database file is missing or empty, until the file is put back or \
                this command is run. Clients then drop what they have of it. No server may be running on the data folder.
                """)
        @Argument(help: .of(\ContainerChoice.container)) var name: String
        @Option(help: "development or production.") var environment: ContainerEnvironment
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let container = try await accounts.containers.require(named: name)
            let lock = try ServerLock.take(folder, to: "forget data")
            defer { lock.release() }
            if !yes { try confirm() }
            try await accounts.environments.forgetData(of: container, environment, in: folder)
            return Report(
                "\(environment.rawValue) of \(name) begins anew.",
                json: .members(["container": .string(name), "environment": .string(environment.rawValue)]))
        }

        private func confirm() throws {
            guard Terminal.isInteractive else {
                throw Complaint("clients drop what they have of \(name); add --yes to confirm")
            }
            let question =
                "Begin \(environment.rawValue) of \(name) anew, so that clients drop what they have? Type its name: "
            guard Terminal.ask(question) == name else { throw Complaint("nothing was changed") }
        }
    }
}

enum OnOff: String, ExpressibleByArgument, CaseIterable {
    case on, off
    var isOn: Bool { self == .on }
}

extension ContainerInfo {
    fileprivate var switches: [Bool] {
        [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, atomicErrorStatus]
    }
}

extension ContainerEnvironment: ExpressibleByArgument {}
