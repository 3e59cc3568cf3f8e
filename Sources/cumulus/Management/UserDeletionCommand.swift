import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer

extension UserCommand {
    struct Delete: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete a user with all that is theirs, in every container.",
            discussion: """
                Their private data, shares, subscriptions, devices and sessions go. Members of their shares lose these; \
                records they made in public databases stay, under a name that says nothing. Run again, it goes on \
                where it was cut off.
                """)
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @Flag(help: "Only show what would go.") var preview = false
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let data = try await operations.run(DeletionOperations.preview, input.draft)
            if preview { return Self.report("\(data.name) has", data) }
            if !yes { try confirm(data) }
            return Self.report(
                "Deleted user \(data.name) with",
                try await operations.run(DeletionOperations.run, input.draft))
        }

        private func confirm(_ data: PersonDataInfo) throws {
            guard Terminal.isInteractive else {
                throw Complaint("deleting \(data.name) cannot be undone; add --yes to confirm")
            }
            let question = "\(Self.text(data.name + " has", data))\nDelete all of it? Type the address to go on: "
            guard Terminal.ask(question) == data.name else { throw Complaint("nothing was deleted") }
        }

        private static func report(_ beginning: String, _ data: PersonDataInfo) -> Report {
            Report(text(beginning, data), answer: data)
        }

        private static func text(_ beginning: String, _ data: PersonDataInfo) -> String {
            let lines = data.environments.map { place in
                let has = place.footprint
                let things = Counted.list(
                    [
                        (has.records, "record", nil), (has.zones, "zone", nil), (has.bytes, "byte", nil),
                        (has.assetBytes, "byte of assets", "bytes of assets"), (has.shares, "share", nil),
                        (has.shareMembers, "member of these", "members of these"), (has.memberships, "membership", nil),
                        (has.subscriptions, "subscription", nil), (has.devices, "device", nil), (has.keys, "key", nil),
                    ], nothing: "nothing")
                return "\(place.environment.rawValue) of \(place.container): \(things)"
            }
            return
                (["\(beginning) \(data.sessions == 0 ? "no session" : Counted.text(data.sessions, "session"))."] + lines)
                .joined(separator: "\n")
        }
    }
}
