import ArgumentParser
import CloudModel
import CloudOperations

/// Commands on a container's shares, of all owners.
struct ShareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "List and stop shares.", subcommands: [List.self, Stop.self])

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List all shares, the oldest first.")
        static let arguments: [InputArgument<NumberedEnvironmentPage>] = [
            .argument(\.place.container), .option(\.place.environment, or: .development),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            .list(
                try await operations.all(ShareOperations.list, input.draft),
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

    struct Stop: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop",
            abstract: "Stop a share: everybody in it but its owner loses sight of it. No record is deleted.")
        static let operation = ShareOperations.stop
        static let arguments: [InputArgument<ShareChoice>] = [
            .argument(\.place.container), .argument(\.shortGUID), .option(\.place.environment, or: .development),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_: Done) throws -> Report {
            let shortGUID = try input[\.shortGUID]
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
