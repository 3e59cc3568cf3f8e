import CloudStore

/// The server's effective settings.
package enum SettingOperations {
    /// All settings, each with its value, source and default.
    package static let list = AdminOperation<Page<SettingInfo>>(.get, "settings", .operations) { call in
        Page(items: call.workplace.settings)
    }
}

/// A setting. Values that may contain a password are hidden.
package struct SettingInfo: Codable, Hashable, Sendable {
    package let name: String
    package let variable: String
    package let value: String
    package let standard: String
    package let from: String
    package let purpose: String

    enum CodingKeys: String, CodingKey {
        case name, variable, value, from, purpose
        case standard = "default"
    }

    package init(name: String, variable: String, value: String, standard: String, from: String, purpose: String) {
        self.name = name
        self.variable = variable
        self.value = value
        self.standard = standard
        self.from = from
        self.purpose = purpose
    }
}
