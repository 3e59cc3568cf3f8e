import ArgumentParser
import CloudModel

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List every setting, its value here, and where that comes from.",
        discussion: """
            A setting comes from the command line, else from its CUMULUS_… variable, else from the JSON file named by \
            --config or CUMULUS_CONFIG, where the dots of its name stand for nested objects, else it has its default.
            """)
    @OptionGroup var common: CommonOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let reader = try common.reader()
        let settings = try reader.settings()
        let defaults = Settings()
        let rows = try SettingsTable.all.map { setting in
            (
                setting, value: setting.text(settings), standard: setting.text(defaults),
                place: try reader.source(of: setting)?.place ?? "default"
            )
        }
        Report.list(
            rows, empty: "", columns: ["NAME", "VARIABLE", "VALUE", "FROM", "WHAT IT IS FOR"],
            row: { [$0.0.name, SettingsSource.variable($0.0.name), $0.value, $0.place, $0.0.purpose] },
            json: {
                .members([
                    "name": .string($0.0.name), "variable": .string(SettingsSource.variable($0.0.name)),
                    "value": .string($0.value), "default": .string($0.standard), "from": .string($0.place),
                    "purpose": .string($0.0.purpose),
                ])
            }
        ).print(asJSON: output.json)
    }
}
