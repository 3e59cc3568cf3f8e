import CloudHTTP
import CloudServer
import CloudOperations
import Configuration
import Foundation

/// Determines every setting by precedence: command line, environment, file, default.
struct SettingsReader: Sendable {
    private let sources: [SettingsSource]

    /// - Throws: ``Complaint`` about an unknown setting, with its place.
    init(sources: [SettingsSource]) throws {
        self.sources = sources
        for source in sources { try Self.refuseUnknown(in: source) }
    }

    /// The sources of this process.
    ///
    /// - Parameter commandLine: the given options, keyed by setting name.
    init(commandLine: [String: ConfigContent], config: String?) throws {
        let environment = ProcessInfo.processInfo.environment
        var sources = [SettingsSource.commandLine(commandLine), .environment(environment)]
        if let file = config ?? environment[SettingsSource.configVariable] { sources.append(try .file(file)) }
        try self.init(sources: sources)
    }

    /// - Parameter memory: bytes available to the process; unset `inFlight` limits are fitted to it. Nil if unknown.
    func settings(memory: Int? = MemoryLimit.ofProcess()) throws -> Settings {
        var settings = Settings()
        for setting in SettingsTable.all { try take(setting, &settings) }
        if let memory {
            settings.server.inFlight = ServerConfiguration().inFlight
            settings.server.inFlight.fit(memory: memory, settings.server.limits)
            for setting in SettingsTable.all where setting.name.hasPrefix("inFlight.") { try take(setting, &settings) }
        }
        if settings.server.dev { try takeDevelopment(&settings) }
        return settings
    }

    /// Applies a setting's value from its source, if any.
    private func take(_ setting: Setting, _ settings: inout Settings) throws {
        guard let source = try source(of: setting), let value = try value(of: setting, in: source) else { return }
        do { try setting.take(value, &settings) } catch {
            throw Complaint("\(source.spelling(of: setting)) \(source.place) must be \(error.demand)")
        }
    }

    /// Applies the development defaults to settings without a source.
    private func takeDevelopment(_ settings: inout Settings) throws {
        for setting in SettingsTable.all {
            guard let value = setting.development, try source(of: setting) == nil else { continue }
            do { try setting.take(value, &settings) } catch {
                throw Complaint("\(setting.name) of a server with 'dev' must be \(error.demand)")
            }
        }
    }

    /// All settings, each with its value, source and default.
    func infos() throws -> [SettingInfo] {
        let (settings, defaults) = (try settings(), Settings())
        return try SettingsTable.all.map { setting in
            SettingInfo(
                name: setting.name, variable: SettingsSource.variable(setting.name), value: setting.shown(settings),
                standard: setting.text(defaults), from: try source(of: setting)?.place ?? "default",
                purpose: setting.purpose)
        }
    }

    /// The source of a setting's value; nil for the default value.
    func source(of setting: Setting) throws -> SettingsSource? {
        try sources.first { try $0.has(setting) && value(of: setting, in: $0) != nil }
    }

    private func value(of setting: Setting, in source: SettingsSource) throws -> ConfigContent? {
        do { return try source.provider.value(forKey: setting.key, type: setting.type).value?.content } catch {
            throw Complaint("\(source.spelling(of: setting)) \(source.place) must be \(setting.demand)")
        }
    }

    private static func refuseUnknown(in source: SettingsSource) throws {
        guard !source.names.isEmpty else { return }
        let known = SettingsTable.all.map(source.name)
        for name in source.names.sorted() where !known.contains(name) {
            let nearest =
                Spelling.nearest(to: name, among: known).map { "; did you mean \($0)?" }
                ?? "; 'cumulus settings' lists them all"
            throw Complaint("there is no setting \(name), set \(source.place)\(nearest)")
        }
    }
}
