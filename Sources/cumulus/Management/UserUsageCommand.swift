import ArgumentParser
import CloudModel
import CloudOperations

extension UserCommand {
    struct Usage: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "usage", abstract: "Show how much a user stores, and how much they may.")
        static let operation = UsageOperations.show
        static let arguments: [InputArgument<UserChoice>] = [.argument(\.email)]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ usage: PersonUsageInfo) -> Report {
            let quota = usage.quota
            let table = Report.list(
                usage.environments.filter { $0.records + $0.bytes + $0.assetBytes > 0 },
                empty: "\(usage.name) "
                    + (usage.environments.isEmpty ? "has been in no container." : "keeps nothing in any container."),
                columns: ["CONTAINER", "ENVIRONMENT", "RECORDS", "BYTES", "BYTES OF ASSETS"],
                row: {
                    [
                        $0.container, $0.environment.rawValue, Self.text($0.records, quota.records),
                        Self.text($0.bytes, quota.bytes), Self.text($0.assetBytes, quota.assetBytes),
                    ]
                })
            return Report(table.text, answer: usage)
        }

        private static func text(_ value: Int, _ most: Int?) -> String {
            most.map { "\(value) of \($0)" } ?? Counted.shown(value)
        }
    }
}
