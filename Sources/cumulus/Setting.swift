import CloudServer
import CloudHTTP
import CloudModel
import CloudPostgres
import Configuration
import Foundation

/// A row of the settings table.
struct Setting: Sendable {
    /// The setting's path in the settings file, such as `limit.recordBytes`.
    let name: String
    let purpose: String
    /// The value type requested from configuration providers.
    let type: ConfigType
    /// The value as readable text.
    let text: @Sendable (Settings) -> String
    /// Stores the value; throws the requirement that an invalid value violates.
    let take: @Sendable (ConfigContent, inout Settings) throws(Unfit) -> Void
    /// The default on a 'dev' server; nil for the general default.
    var development: ConfigContent?

    /// A value of the right type outside the permitted values.
    struct Unfit: Error {
        let demand: String
    }

    var key: AbsoluteConfigKey { AbsoluteConfigKey(name.split(separator: ".").map(String.init)) }

    /// A description of a value of the type, for error messages.
    var demand: String {
        switch type {
        case .int: "a whole number"
        case .bool: "true or false"
        default: "a text"
        }
    }
}

extension Setting {
    /// The same setting, unlimited by default on 'dev' servers.
    var unboundInDevelopment: Setting {
        var setting = self
        setting.development = .int(0)
        return setting
    }

    typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

    init(_ name: String, _ purpose: String, _ path: Path<String>) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path] }) {
            content, settings throws(Unfit) in
            settings[keyPath: path] = try Self.text(content)
        }
    }

    /// An origin; a trailing slash is removed.
    init(_ name: String, _ purpose: String, _ path: Path<String?>) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path] ?? "" }) {
            content, settings throws(Unfit) in
            settings[keyPath: path] = try Self.origin(content)
        }
    }

    /// An optional text.
    init(_ name: String, _ purpose: String, optional path: Path<String?>) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path] ?? "" }) {
            content, settings throws(Unfit) in
            settings[keyPath: path] = try Self.text(content)
        }
    }

    /// An optional text that may contain passwords: listings hide it.
    init(_ name: String, _ purpose: String, secret path: Path<String?>) {
        self.init(
            name: name, purpose: purpose, type: .string, text: { $0[keyPath: path] == nil ? "" : Self.hidden }
        ) { content, settings throws(Unfit) in settings[keyPath: path] = try Self.text(content) }
    }

    /// Stands for a value that may contain passwords.
    static let hidden = "(set, not shown)"

    /// The value for listings. URLs lose their user names, passwords and parameters; the pattern accepts any password without
    /// spaces.
    func shown(_ settings: Settings) -> String {
        let text = text(settings)
        guard text.contains("://") else { return text }
        return text.replacing(#/([A-Za-z][A-Za-z0-9+.\-]*:\/\/)\S*@/#) { "\($0.output.1)…@" }
            .replacing(#/([A-Za-z][A-Za-z0-9+.\-]*:\/\/[^\s?]*)\?\S+/#) { "\($0.output.1)?…" }
    }

    /// A PostgreSQL database; its password is never shown.
    init(_ name: String, _ purpose: String, _ path: Path<PostgresAddress?>) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path]?.shown ?? "" }) {
            content, settings throws(Unfit) in
            guard let address = PostgresAddress(try Self.text(content)) else {
                throw Unfit(
                    demand: "a URL such as postgres://user:password@host:5432/database, %-encoded where need be")
            }
            settings[keyPath: path] = address
        }
    }

    /// - Parameter example: a sample address for the error message.
    static func address(_ content: ConfigContent, _ example: String) throws(Unfit) -> HostAndPort {
        guard case .string(let text) = content, let address = HostAndPort(text) else {
            throw Unfit(demand: "a host and a port such as \(example)")
        }
        return address
    }

    init(_ name: String, _ purpose: String, _ path: Path<Bool>) {
        self.init(name: name, purpose: purpose, type: .bool, text: { "\($0[keyPath: path])" }) {
            content, settings throws(Unfit) in
            if case .bool(let value) = content { settings[keyPath: path] = value }
        }
    }

    init(_ name: String, _ purpose: String, _ path: Path<Int>, _ range: ClosedRange<Int>) {
        self.init(name: name, purpose: purpose, type: .int, text: { "\($0[keyPath: path])" }) {
            content, settings throws(Unfit) in
            settings[keyPath: path] = try Self.number(content, in: range)
        }
    }

    /// Whole seconds.
    init(_ name: String, _ purpose: String, _ path: Path<Duration>, _ range: ClosedRange<Int>) {
        self.init(name: name, purpose: purpose, type: .int, text: { "\($0[keyPath: path].components.seconds)" }) {
            content, settings throws(Unfit) in
            settings[keyPath: path] = .seconds(try Self.number(content, in: range))
        }
    }

    init(_ name: String, _ purpose: String, milliseconds path: Path<Duration>, _ range: ClosedRange<Int>) {
        self.init(
            name: name, purpose: purpose, type: .int,
            text: { "\(Int($0[keyPath: path] / .milliseconds(1)))" }
        ) { content, settings throws(Unfit) in
            settings[keyPath: path] = .milliseconds(try Self.number(content, in: range))
        }
    }

    /// A keyword from a fixed set.
    init<Choice: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ purpose: String, oneOf path: Path<Choice>
    ) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path].rawValue }) {
            content, settings throws(Unfit) in settings[keyPath: path] = try Self.choice(content)
        }
    }

    static func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ content: ConfigContent
    ) throws(Unfit) -> Choice {
        guard let choice = Choice(rawValue: try text(content).lowercased()) else {
            throw Unfit(demand: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    private static func text(_ content: ConfigContent) throws(Unfit) -> String {
        guard case .string(let text) = content, !text.isEmpty else { throw Unfit(demand: "a text that is not empty") }
        return text
    }

    private static func number(_ content: ConfigContent, in range: ClosedRange<Int>) throws(Unfit) -> Int {
        guard case .int(let number) = content, range.contains(number) else {
            throw Unfit(demand: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func origin(_ content: ConfigContent) throws(Unfit) -> String {
        let text = try text(content)
        guard let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.path.isEmpty || parts.path == "/", parts.query == nil,
            parts.fragment == nil, parts.user == nil, parts.password == nil
        else {
            throw Unfit(demand: "an origin such as https://cloud.example.com, without a path, user name or password")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}

extension SettingsTable {
    /// A field of `Limits`.
    static func limit(
        _ name: String, _ purpose: String, _ path: any WritableKeyPath<Limits, Int> & Sendable,
        _ range: ClosedRange<Int> = 1...1_000_000
    ) -> Setting {
        let limits: any WritableKeyPath<Settings, Limits> & Sendable = \.server.limits
        return Setting(
            name: "limit." + name, purpose: purpose, type: .int,
            text: { "\($0[keyPath: limits][keyPath: path])" },
            take: { content, settings throws(Setting.Unfit) in
                guard case .int(let number) = content, range.contains(number) else {
                    throw Setting.Unfit(demand: "a whole number from \(range.lowerBound) to \(range.upperBound)")
                }
                settings[keyPath: limits][keyPath: path] = number
            })
    }
}
