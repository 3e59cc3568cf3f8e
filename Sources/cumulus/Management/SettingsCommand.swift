import CloudServer
import ArgumentParser
import CloudOperations
import Configuration
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
            // Local settings need no data folder.
            settings =
                access.server == nil
                ? try access.common.reader().infos()
                : try await access.operations().run(SettingOperations.list, [:]).items
        } catch {
            throw Complaint(error)
        }
        Report(settings.map(Self.text).joined(separator: "\n"), json: .array(settings.map(Self.json)))
            .print(asJSON: output.json)
    }

    /// `port = 8080  (default; CUMULUS_PORT)`, and below it the purpose.
    private static func text(_ setting: SettingInfo) -> String {
        let head = PlainText.line(
            "\(setting.name) = \(setting.value.isEmpty ? "–" : setting.value)  (\(setting.from); \(setting.variable))")
        let purpose = Table.wrap(PlainText.line(setting.purpose), Table.widest - 4).map { "    " + $0 }
        return (Table.wrap(head, Table.widest) + purpose).joined(separator: "\n")
    }

    /// The setting with value and default in the settings file's types; null if absent.
    private static func json(_ setting: SettingInfo) -> JSONValue {
        let type = SettingsTable.all.first { $0.name == setting.name }?.type
        func typed(_ text: String) -> JSONValue {
            switch type {
            case .int?: Int64(text).map(JSONValue.integer) ?? .null
            case .double?: Double(text).map(JSONValue.number) ?? .null
            case .bool?: .bool(text == "true")
            default: text.isEmpty ? .null : .string(text)
            }
        }
        return .members([
            "name": .string(setting.name), "variable": .string(setting.variable), "value": typed(setting.value),
            "default": typed(setting.standard), "from": .string(setting.from), "purpose": .string(setting.purpose),
        ])
    }
}
