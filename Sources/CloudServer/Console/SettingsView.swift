import CloudModel
import CloudOperations
import Hummingbird

/// The pages about the server as a whole.
enum SettingsTab: String, CaseIterable {
    case settings, credentials, operators, pages, backups, audit

    var path: String { self == .settings ? ConsoleView.settings.path : "/console/settings/\(rawValue)" }

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The links to all of them.
    fileprivate static func tabs(current: SettingsTab) -> [ConsoleTab] {
        allCases.map { ConsoleTab(label: $0.title, address: $0.path, isCurrent: $0 == current) }
    }
}

extension ConsoleCall {
    /// A page of the settings.
    func render(
        _ tab: SettingsTab, sheets: [Sheet], forms: [ConsoleForm] = [], problem: String? = nil,
        secret: SheetsContent.Secret? = nil, remark: String? = nil, facts: [Fact] = []
    ) async throws -> Response {
        let content = SheetsContent(
            sheets: sheets, tabs: SettingsTab.tabs(current: tab), problem: problem, secret: secret, remark: remark,
            facts: facts, forms: forms)
        return try render(
            content, title: tab.title, view: .settings, place: try await place(of: query),
            status: problem == nil ? .ok : .badRequest)
    }
}

/// `/console/settings`: each value with where it comes from and its default.
enum SettingsView {
    static let show: ConsoleEndpoint = { call in
        let settings = try await call.operations.run(SettingOperations.list, [:]).items
        return try await call.render(.settings, sheets: [values(settings)])
    }

    private static func values(_ settings: [SettingInfo]) -> Sheet {
        Sheet(
            title: "Settings", note: "read when the server starts",
            columns: [
                .init(title: "Name"), .init(title: "Value"), .init(title: "From"), .init(title: "Default"),
                .init(title: "What it is for"),
            ],
            rows: settings.map {
                [
                    .name($0.name), .name($0.value), Sheet.Cell($0.from), .name($0.standard),
                    Sheet.Cell($0.purpose, isWhole: true),
                ]
            }, empty: "This server was not started by 'cumulus serve', so nobody has told its settings.")
    }
}

/// `/console/settings/audit`: what operators changed, and whose private data they looked at.
enum AuditView {
    static func address(person: String?, after: String) -> String {
        ConsoleAddress.make(SettingsTab.audit.path, [("person", person), ("after", after)])
    }

    static let show: ConsoleEndpoint = { call in
        let person = call.query.filled("person")
        let audit = try await call.operations.run(
            AuditOperations.list,
            [
                "person": person.map(JSONValue.string), "after": call.query.filled("after").map(JSONValue.string),
            ])
        var log = AuditSheet.make(audit.items, title: person.map { "Audit log of \($0)" } ?? "Audit log")
        log.next = audit.next.map { address(person: person, after: $0) }
        return try await call.render(.audit, sheets: [log])
    }
}
