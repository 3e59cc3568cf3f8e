import ArgumentParser
import CloudModel
import CloudOperations

/// Commands on a container's shares, of all owners.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "List and stop shares.", subcommands: [List.self, Stop.self])

    struct List: ManagementCommand {
        static let configuration = CommandConfiguration(abstract: "List all shares, the oldest first.")
        @Argument(help: .of(\ShareChoice.place.container)) var container: String
        @Option(help: .of(\ShareChoice.place.environment)) var environment = ContainerEnvironment.development
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ShareOperations.list) {
                    $0.set(\.place.container, to: container)
                    $0.set(\.place.environment, to: environment)
                },
                empty: "Nothing is shared.",
                columns: ["SHORT GUID", "TITLE", "OWNER", "ZONE", "RECORD", "PEOPLE", "BY LINK"],
                row: {
                    [
                        $0.shortGUID, $0.title ?? "", $0.owner, $0.zone, $0.recordName ?? "the whole zone",
                        "\($0.participants.count)", $0.publicPermission,
                    ]
                })
        }
    }

    struct Stop: ManagementCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop a share: everybody in it but its owner loses sight of it. No record is deleted.")
        @Argument(help: .of(\ShareChoice.place.container)) var container: String
        @Argument(help: .of(\ShareChoice.shortGUID)) var shortGUID: String
        @Option(help: .of(\ShareChoice.place.environment)) var environment = ContainerEnvironment.development
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            _ = try await operations.run(ShareOperations.stop) {
                $0.set(\.place.container, to: container)
                $0.set(\.place.environment, to: environment)
                $0.set(\.shortGUID, to: shortGUID)
            }
            return Report("Stopped share \(shortGUID).", json: .members(["shortGUID": .string(shortGUID)]))
        }
    }
}

extension ShareInfo {
    /// The owner's address, if known, and user record name.
    fileprivate var owner: String {
        let address = participants.first { $0.userRecordName == ownerRecordName }?.email
        return [address, ownerRecordName].compactMap(\.self).joined(separator: " ")
    }
}
