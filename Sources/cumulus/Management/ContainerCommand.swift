import ArgumentParser
import CloudModel
import CloudStore
import Foundation

struct ContainerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "container", abstract: "Create, list, change and delete containers.",
        subcommands: [Create.self, List.self, Update.self, Delete.self])

    struct Create: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Create a container.")
        static let makesFolder = true
        @Argument(help: "Its name, such as iCloud.com.example.app.") var name: String
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let container = try await accounts.createContainer(name: name)
            return Report(
                "Created container \(name).",
                remark: "Next: cumulus token create --container \(name) --environment development --name web",
                json: container.json)
        }
    }

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List the containers.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            .list(
                try await accounts.containers(), empty: "There are no containers yet.",
                columns: [
                    "NAME", "JUST-IN-TIME SCHEMA", "STRICT INDEXES", "DISCOVERABLE USERS", "UNIQUE SUBSCRIPTIONS",
                ],
                row: { [$0.name] + $0.switches.map { $0 ? "on" : "off" } }, json: \.json)
        }
    }

    struct Update: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "Turn a container's switches.")
        @Argument(help: "The container's name.") var name: String
        @Option(help: "Whether saving a record may add types and fields in development.")
        var justInTimeSchema: OnOff?
        @Option(help: "Whether system fields need an index declared, as in the original service.")
        var strictIndexes: OnOff?
        @Option(help: "Whether users of the container can find each other.")
        var discoverableUsers: OnOff?
        @Option(help: "Whether a user's query subscriptions must differ in record type or firesOn, as in the original.")
        var uniqueSubscriptions: OnOff?
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions].allSatisfy({ $0 == nil }) {
                throw ValidationError(
                    "Say what to change: --just-in-time-schema, --strict-indexes, --discoverable-users "
                        + "or --unique-subscriptions.")
            }
        }

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            let container = try await accounts.updateContainer(
                name: name, justInTimeSchema: justInTimeSchema?.value, strictIndexes: strictIndexes?.value,
                discoverableUsers: discoverableUsers?.value, uniqueSubscriptions: uniqueSubscriptions?.value)
            return Report("Changed container \(name).", json: container.json)
        }
    }

    struct Delete: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a container: its records, API tokens, keys and sessions.")
        @Argument(help: "The container's name.") var name: String
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var common: CommonOptions
        @OptionGroup var output: OutputOptions

        func perform(_ accounts: AccountStore, in folder: DataFolder) async throws -> Report {
            if !yes { try confirm() }
            let container = try await accounts.deleteContainer(name: name)
            for path in try folder.files(ofContainer: container.id) {
                try FileManager.default.removeItem(atPath: path)
            }
            return Report("Deleted container \(name).", json: container.json)
        }

        private func confirm() throws {
            guard Terminal.isInteractive else {
                throw Complaint("deleting \(name) cannot be undone; say --yes if that is meant")
            }
            guard Terminal.ask("Delete \(name) and all its records? Type its name to go on: ") == name else {
                throw Complaint("nothing was deleted")
            }
        }
    }
}

enum OnOff: String, ExpressibleByArgument, CaseIterable {
    case on, off
    var value: Bool { self == .on }
}

extension Container {
    fileprivate var switches: [Bool] {
        [justInTimeSchema, strictIndexes, discoverableUsers, uniqueSubscriptions]
    }

    fileprivate var json: JSONValue {
        .members([
            "name": .string(name), "justInTimeSchema": .bool(justInTimeSchema), "strictIndexes": .bool(strictIndexes),
            "discoverableUsers": .bool(discoverableUsers), "uniqueSubscriptions": .bool(uniqueSubscriptions),
        ])
    }
}

extension ContainerEnvironment: ExpressibleByArgument {}
