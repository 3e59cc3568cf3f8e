import CloudModel
import CloudOperations
import CloudStore

/// `/console`: what is served, and how much of it there is.
enum OverviewView {
    /// Environments whose storage is shown, so that a look at the page does not open them all.
    private static let mostEnvironments = 40

    static let show: ConsoleEndpoint = { call in
        let containers = try await call.operations.run(ContainerOperations.list, ["limit": .integer(200)]).items
        let audit = try await call.operations.run(AuditOperations.list, ["limit": .integer(10)]).items
        var sheet = Sheet(
            title: "Containers",
            columns: [
                .init(title: "Container"), .init(title: "Environment"), .init(title: "Records", isNumber: true),
                .init(title: "Stored", isNumber: true), .init(title: "Assets", isNumber: true),
                .init(title: "Public records", isNumber: true),
            ], empty: "There is no container yet. 'cumulus container create' makes one.")
        var (records, bytes) = (Int64(0), Int64(0))
        for container in containers.prefix(mostEnvironments / 2) {
            for environment in ContainerEnvironment.allCases {
                let place = ConsolePlace(container: container.name, environment: environment, containers: [])
                let usage = try await call.operations.run(ContainerOperations.usage, place.arguments)
                guard environment == .development || usage.records > 0 else { continue }
                records += usage.records
                bytes += usage.bytes
                sheet.rows.append(row(place, usage))
            }
        }
        sheet.note = "\(containers.count)"
        var refused = RequestFilter()
        (refused.refusedOnly, refused.leavesOutConsole) = (true, true)
        let refusals = RequestsView.make(
            try call.requests(refused, most: 10), title: "Refused lately",
            empty: "No request has been refused since the server started.")
        return try call.render(
            "Overview", view: .overview, place: try await call.place(),
            sheets: [sheet, refusals, AuditSheet.make(audit)],
            [
                "hasFigures": true,
                "figures": [
                    figure("Containers", "\(containers.count)"), figure("Records", "\(records)"),
                    figure("Stored", ByteCount.text(bytes)),
                    figure("Index builds", "\(call.page.site.stores.figures.working)"),
                    figure("Last backup", lastBackup(call)), figure("Version", ProgramVersion.text),
                ],
            ])
    }

    /// The time since the last backup was begun.
    private static func lastBackup(_ call: ConsoleCall) -> String {
        let site = call.page.site
        guard let last = BackupNote.read(site.folder) else { return "none" }
        let hours = max(0, (site.accounts.now() - last.began).components.seconds) / 3600
        return switch hours {
        case 0: "this hour"
        case ..<48: "\(hours) h ago"
        default: "\(hours / 24) days ago"
        }
    }

    private static func figure(_ title: String, _ value: String) -> PageContent {
        PageContent(["title": title, "value": value])
    }

    private static func row(_ place: ConsolePlace, _ usage: UsageInfo) -> [Sheet.Cell] {
        [
            .name(place.container, link: place.address("/console/data")),
            Sheet.Cell(place.environment.label, badge: "env \(place.environment.rawValue)"),
            .part(Int(usage.records), of: usage.quota.records),
            .size(Int(usage.bytes), of: usage.quota.bytes), .size(Int(usage.assetBytes), of: usage.quota.assetBytes),
            .number(usage.publicRecords),
        ]
    }
}

/// Lines of the audit log as a table.
enum AuditSheet {
    static func make(_ lines: [AuditInfo], title: String = "Done lately") -> Sheet {
        Sheet(
            title: title,
            columns: [
                .init(title: "Time"), .init(title: "Who"), .init(title: "Action"), .init(title: "Container"),
                .init(title: "Person"), .init(title: "Subject"),
            ],
            rows: lines.map {
                [
                    .time($0.time), Sheet.Cell($0.who), Sheet.Cell($0.action), .name($0.container ?? ""),
                    .name($0.person ?? ""), .name($0.subject ?? ""),
                ]
            }, empty: "No operator has changed anything yet.")
    }
}
