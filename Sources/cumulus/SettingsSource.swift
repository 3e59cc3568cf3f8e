import CloudModel
import Configuration
import Foundation

/// A source of settings: the command line, the environment or a file.
struct SettingsSource: Sendable {
    enum Origin: Hashable, Sendable { case commandLine, environment, file(String) }

    let origin: Origin
    let provider: any ConfigProvider
    /// Names of the settings in this source, as it spells them.
    let names: Set<String>

    /// The setting's name in ``names``.
    func name(of setting: Setting) -> String {
        origin == .environment ? SettingsTable.variables[setting.name] ?? setting.name : setting.name
    }

    /// Providers take much longer to say that they have no value.
    func has(_ setting: Setting) -> Bool { !names.isEmpty && names.contains(name(of: setting)) }

    /// The setting's name in the spelling of this source.
    func spelling(of setting: Setting) -> String {
        switch origin {
        case .commandLine: "--" + SettingsSource.words(setting.name).joined(separator: "-")
        case .environment: SettingsSource.variable(setting.name)
        case .file: setting.name
        }
    }

    /// The source's location, for messages.
    var place: String {
        switch origin {
        case .commandLine: "on the command line"
        case .environment: "in the environment"
        case .file(let path): "in \(path)"
        }
    }

    static func commandLine(_ values: [String: ConfigContent]) -> SettingsSource {
        SettingsSource(origin: .commandLine, provider: memory(values), names: Set(values.keys))
    }

    /// Variables with the prefix `CUMULUS_`, except for other purposes' names.
    static func environment(_ variables: [String: String]) -> SettingsSource {
        let ours = variables.filter { $0.key.hasPrefix("CUMULUS_") && !others.contains($0.key) }
        return SettingsSource(
            origin: .environment,
            provider: EnvironmentVariablesProvider(environmentVariables: ours).prefixKeys(with: "cumulus"),
            names: Set(ours.keys))
    }

    /// A JSON file of nested objects: `{"port": 8080, "limit": {"recordBytes": 1048576}}`.
    static func file(_ path: String) throws -> SettingsSource {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Complaint("cannot read the settings file \(path)")
        }
        let document: JSONValue
        do { document = try JSONParser.parse(Array(bytes)) } catch {
            throw Complaint("the settings file \(path) is not JSON: \(error.reason)")
        }
        guard let object = document.object else {
            throw Complaint("the settings file \(path) must hold a JSON object, not \(document.kind)")
        }
        var values: [String: ConfigContent] = [:]
        try flatten(object, under: "", into: &values, path: path)
        return SettingsSource(origin: .file(path), provider: memory(values), names: Set(values.keys))
    }

    static let configVariable = "CUMULUS_CONFIG"

    /// Variables other than settings: the settings file's name, the token for `--server`, and variables of `cumulus exec`.
    private static let others: Set = [
        configVariable, ManagementTokenSource.variable, ExecCommand.origin, ExecCommand.containerName,
        ExecCommand.apiToken,
    ]

    /// Spells `limit.recordBytes` as `CUMULUS_LIMIT_RECORD_BYTES`, like the environment provider.
    static func variable(_ name: String) -> String {
        "CUMULUS_" + words(name).joined(separator: "_").uppercased()
    }

    private static func words(_ name: String) -> [String] {
        var words = [""]
        for character in name {
            if character == "." || character.isUppercase { words.append("") }
            if character != "." { words[words.count - 1] += character.lowercased() }
        }
        return words
    }

    private static func memory(_ values: [String: ConfigContent]) -> InMemoryProvider {
        InMemoryProvider(
            values: Dictionary(
                uniqueKeysWithValues: values.map { name, content in
                    let key = AbsoluteConfigKey(name.split(separator: ".").map(String.init))
                    return (key, ConfigValue(content, isSecret: false))
                }))
    }

    private static func flatten(
        _ object: JSONObject, under prefix: String, into values: inout [String: ConfigContent], path: String
    ) throws {
        for member in object.members {
            let name = prefix + member.key
            switch member.value {
            case .object(let inner): try flatten(inner, under: name + ".", into: &values, path: path)
            case .string(let text): values[name] = .string(text)
            case .bool(let value): values[name] = .bool(value)
            case .integer(let number): values[name] = .int(Int(number))
            case .number(let number): values[name] = .double(number)
            case .null, .array:
                throw Complaint("'\(name)' in \(path) must be a text, a number or a boolean, not \(member.value.kind)")
            }
        }
    }
}
