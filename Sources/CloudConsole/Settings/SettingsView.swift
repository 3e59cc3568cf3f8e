import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations

/// The pages about server-wide settings.
enum SettingsTab: String, CaseIterable {
    case settings, credentials, operators, pages, backups, audit

    var path: String { self == .settings ? ConsoleView.settings.path : "/console/settings/\(rawValue)" }

    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Links to all tabs.
    fileprivate static func tabs(current: SettingsTab) -> [ConsoleTab] {
        allCases.map { ConsoleTab(label: $0.title, address: $0.path, isCurrent: $0 == current) }
    }
}

extension ConsoleCall {
    /// A settings page.
    func render(
        _ tab: SettingsTab, sheets: [Sheet], forms: [ConsoleForm] = [], problem: String? = nil,
        secret: SheetsContent.Secret? = nil, remark: String? = nil, search: SheetsContent.Search? = nil,
        facts: [Fact] = []
    ) async throws -> Response {
        let content = SheetsContent(
            now: now, sheets: sheets, links: forms.map(\.link), tabs: SettingsTab.tabs(current: tab), problem: problem,
            secret: secret, remark: remark,
            search: search, facts: facts, forms: forms)
        return try render(
            content, title: tab.title, view: .settings, place: try await place(of: query),
            status: problem == nil ? .ok : .badRequest)
    }
}

/// `/console/settings`: each setting's value, source and default, with changed settings first.
enum SettingsView {
    static let show: ConsoleEndpoint = { call in
        let all = try await call.operations.run(SettingOperations.list, [:]).items
        let matching = call.query.filled("matching")
        let words = (matching ?? "").lowercased().split(separator: " ")
        let found = all.filter { setting in words.allSatisfy { setting.searched.contains($0) } }
        let (changed, others) = (found.filter(\.isChanged), found.filter { !$0.isChanged })
        let isSearched = matching != nil
        let sheets = [
            sheet(
                "Changed", note: Count.text(changed.count), changed,
                empty: isSearched
                    ? "No changed setting has this in it." : "Every setting has its default."),
            sheet(
                "Defaults", note: Count.text(others.count), others,
                empty: all.isEmpty
                    ? "This server was not started by 'cumulus serve', so nobody has told its settings."
                    : "No other setting has this in it."),
        ]
        return try await call.render(
            .settings, sheets: all.isEmpty ? Array(sheets.suffix(1)) : sheets,
            search: SheetsContent.Search(label: "Name, value or purpose", value: matching ?? ""))
    }

    private static func sheet(_ title: String, note: String, _ settings: [SettingInfo], empty: String) -> Sheet {
        let isChanged = title == "Changed"
        return Sheet(
            title: title, note: settings.isEmpty ? "" : note + ", read when the server starts",
            columns: [.init(title: "Name"), .init(title: "Value")]
                + (isChanged ? [.init(title: "From"), .init(title: "Default")] : [])
                + [.init(title: "What it is for"), .init(title: "Environment variable")],
            rows: settings.map {
                [.name($0.name), .name($0.value)] + (isChanged ? [Sheet.Cell($0.from), .name($0.standard)] : [])
                    + [Sheet.Cell($0.purpose, isWhole: true), .name($0.variable)]
            }, empty: empty)
    }
}

extension SettingInfo {
    /// Whether the setting is set explicitly, even to its default.
    fileprivate var isChanged: Bool { from != "default" }

    /// The text that a search matches.
    fileprivate var searched: String { [name, variable, value, purpose, from].joined(separator: " ").lowercased() }
}

/// `/console/settings/audit`: operators' changes and their views of private data.
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
