import CloudAccounts

/// The server's effective settings.
package enum SettingOperations {
    package static let list = AdminOperation<NoInput, Page<SettingInfo>>(
        .get("settings", .operations),
        OperationText("listSettings", "All settings, each with its value, source and default. Secrets are hidden.")
    ) { call, _ in
        Page(items: call.workplace.settings)
    }
}

/// A setting. Values that may contain a password are hidden.
package struct SettingInfo: Codable, Hashable, DocumentedValue {
    package static let about = AnswerText(
        "AdminSetting", "A setting with its value, source and default.")

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
