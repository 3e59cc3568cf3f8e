import ArgumentParser
import CloudAccounts
import CloudEngine
import CloudModel
import CloudOperations
import Foundation

struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container", abstract: "Create, list, change and delete containers.",
        subcommands: [Create.self, List.self, Update.self, Delete.self, ForgetData.self])

    struct Create: OperationCommand {
        static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a container.")
        static let makesFolder = true
        static let operation = ContainerOperations.create
        static let arguments: [InputArgument<NewContainer>] = [.argument(\.name)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ container: ContainerInfo) throws -> Report {
            let name = try input[\.name]
            return Report(
                "Created container \(name).",
                remark: "Next: cumulus token create --container \(name) --environment development --name web",
                answer: container)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the containers.")
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

    struct Update: OperationCommand {
        static let configuration = CommandConfiguration(commandName: "update", abstract: "Turn a container's switches.")
        static let operation = ContainerOperations.update
        static let arguments: [InputArgument<ContainerSwitches>] = [
            .argument(\.container, named: "name"), .onOff(\.justInTimeSchema), .onOff(\.strictIndexes),
            .onOff(\.discoverableUsers), .onOff(\.uniqueSubscriptions), .onOff(\.atomicErrorStatus),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            let switches = Self.arguments.dropFirst()
            if switches.allSatisfy({ !input.draft.arguments.has($0.name.stringValue) }) {
                let names = switches.map { "--\($0.name.option)" }
                throw ValidationError(
                    "Say what to change: \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "").")
            }
        }

        func report(_ container: ContainerInfo) throws -> Report {
            Report("Changed container \(try input[\.container]).", answer: container)
        }
    }

    struct Delete: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a container: its records, API tokens, keys and sessions.")
        static let arguments: [InputArgument<ContainerChoice>] = [.argument(\.container, named: "name")]
        @OptionGroup var input: InputOptions<Self>
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            // Check for the container before asking for consent.
            let name = try input[\.container]
            let known = try await operations.all(ContainerOperations.list).map(\.name)
            guard known.contains(name) else { throw Complaint.noContainer(name, known: known) }
            if !yes { try confirm(name) }
            let container = try await operations.run(ContainerOperations.delete, input.draft)
            return Report("Deleted container \(name).", answer: container)
        }

        private func confirm(_ name: String) throws {
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
        @Argument(help: "The container's name.") var name: String
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

extension ContainerInfo {
    fileprivate var switches: [Bool] {
        [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions, atomicErrorStatus]
    }
}

extension ContainerEnvironment: ExpressibleByArgument {}
