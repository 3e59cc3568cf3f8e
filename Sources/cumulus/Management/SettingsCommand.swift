import ArgumentParser
import CloudOperations
import CloudModel

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List every setting, its value here, and where that comes from.",
        discussion: """
            A setting comes from the command line, else from its CUMULUS_… variable, else from the JSON file named by \
            --config or CUMULUS_CONFIG, where the dots of its name stand for nested objects, else it has its default.
            """)
    @OptionGroup var access: AccessOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let settings: [SettingInfo]
        do {
            // Those of this machine need no data folder.
            settings =
                access.server == nil
                ? try access.common.reader().infos()
                : try await access.operations().run(SettingOperations.list, [:]).items
        } catch {
            throw Complaint(error)
        }
        Report.list(
            settings, empty: "", columns: ["NAME", "VARIABLE", "VALUE", "FROM", "WHAT IT IS FOR"],
            row: { [$0.name, $0.variable, $0.value, $0.from, $0.purpose] }
        ).print(asJSON: output.json)
    }
}
