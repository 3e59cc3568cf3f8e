import CloudModel
import CloudOperations
import CloudStore
import HTTPTypes
import Hummingbird

/// `/console`: requests and refusals of the last hour, storage, and things worth a look.
enum OverviewView {
    /// Requests that are looked at.
    private static let mostRequests = 10_000

    static let show: ConsoleEndpoint = { call in
        var filter = RequestFilter()
        filter.leavesOutConsole = true
        let records = try call.requests(filter, most: mostRequests)
        let now = call.page.site.accounts.now()
        let course = RequestCourse(records, now: now, isCut: records.count == mostRequests)
        let storage = try await StorageSheet(call)
        let audit = try await call.operations.run(AuditOperations.list, ["limit": .integer(10)]).items
        let worth = try await WorthALook.find(call, course)
        return try call.render(
            "console-overview", "Overview", view: .overview, place: try await call.place(),
            [
                "server": call.page.site.origin.text(authority: call.page.request.head.authority),
                "figures": OverviewFigure.all(course, storage).map(\.content),
                "storage": storage.sheet.content(form: call.guarded.value),
                "audit": AuditSheet.make(audit).content(form: call.guarded.value),
                "refusals": course.refusals.map { content($0, now) }, "hasNoRefusals": course.refusals.isEmpty,
                "worth": worth.map(\.content), "hasNothing": worth.isEmpty,
                "facts": facts(call).map { PageContent(["title": $0, "value": $1]) },
            ])
    }

    private static func content(_ refusal: RequestCourse.Refusal, _ now: Timestamp) -> PageContent {
        let record = refusal.record
        let (time, today) = (Sheet.Cell.time(record.time).text, Sheet.Cell.time(now).text.prefix(11))
        let isPassing = [.conflict, .exists, .authenticationRequired, .throttled, .tryAgainLater].contains(record.code)
        var content: [String: Any] = [
            "code": refusal.code, "kind": isPassing ? "warn" : "bad",
            "sentence": refusal.sentence + (refusal.count > 1 ? ", \(refusal.count) times" : ""),
            "address": RequestView.address(record.id), "time": String(time.trimmingPrefix(today)),
        ]
        let by = [record.user, record.container, record.environment?.rawValue].compactMap(\.self)
        if !by.isEmpty { content["by"] = by.joined(separator: ", ") }
        return PageContent(content)
    }

    private static func facts(_ call: ConsoleCall) -> [(String, String)] {
        let site = call.page.site
        let figures = site.stores.figures
        let disk = site.folder.disk.map { "\(ByteCount.text($0.free)) of \(ByteCount.text($0.whole)) left" }
        return [
            ("Version", ProgramVersion.text), ("Last backup", lastBackup(call)),
            ("Index builds", "\(figures.working)"), ("Writes waiting", "\(figures.waitingWrites)"),
            ("Databases open", "\(figures.open)"),
            ("Disk", disk ?? "the system does not say"),
        ]
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
