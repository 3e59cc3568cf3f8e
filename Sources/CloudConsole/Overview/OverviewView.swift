import CloudAccounts
import CloudHTTP
import CloudWire
import CloudPages
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer

/// `/console`: requests and refusals of the last hour, storage, and problems.
enum OverviewView {
    static let show: ConsoleEndpoint = { call in
        var filter = RequestFilter()
        filter.leavesOutConsole = true
        let records = try await call.requests(filter)
        let now = call.now
        let course = RequestCourse(
            records, now: now, beginning: call.page.site.requests.beginning)
        let storage = try await StorageSheet(call)
        let audit = try await call.operations.run(AuditOperations.list, ["limit": .integer(10)]).items
        let worth = try await WorthALook.find(call, course)
        let content = Content(
            server: call.page.site.origin.text(authority: call.page.request.head.authority),
            figures: OverviewFigure.all(course, storage), storage: SheetView(storage.sheet, now: call.now),
            refusals: try await refusals(course, call), hasNoRefusals: course.refusals.isEmpty,
            audit: SheetView(AuditSheet.make(audit), now: call.now), worth: worth, hasNothing: worth.isEmpty,
            facts: facts(call))
        return try call.render(content, title: "Overview", view: .overview, place: try await call.place())
    }

    private static func refusals(_ course: RequestCourse, _ call: ConsoleCall) async throws -> [Content.Refusal] {
        let names = try await KnownPeople(call, course.refusals.map { ($0.record.user, $0.record.container) })
        var refusals: [Content.Refusal] = []
        for refusal in course.refusals {
            let share = try await call.share(of: refusal.record)?.title
            refusals.append(Self.refusal(refusal, share: share.map { "'\($0)'" }, names, call.now))
        }
        return refusals
    }

    private static func refusal(
        _ refusal: RequestCourse.Refusal, share: String?, _ names: KnownPeople, _ now: Timestamp
    ) -> Content.Refusal {
        let record = refusal.record
        let isPassing = [.conflict, .exists, .authenticationRequired, .throttled, .tryAgainLater].contains(record.code)
        let by = [share, record.user.map { names[$0] }, record.container, record.environment?.rawValue].compactMap(
            \.self)
        return Content.Refusal(
            kind: isPassing ? "warn" : "bad", code: refusal.code, address: RequestView.address(record.id),
            sentence: refusal.sentence + (refusal.count > 1 ? ", \(Count.text(refusal.count)) times" : ""),
            by: by.isEmpty ? nil : by.joined(separator: ", "), time: ShownTime(record.time, now: now))
    }

    private static func facts(_ call: ConsoleCall) -> [Fact] {
        let site = call.page.site
        let figures = site.stores.figures
        let disk = site.wire.folder.disk.map { "\(ByteCount.text($0.free)) of \(ByteCount.text($0.whole)) left" }
        return [
            ("Version", ProgramVersion.text), ("Last backup", lastBackup(call)),
            ("Index builds", Count.text(figures.working)), ("Writes waiting", Count.text(figures.waitingWrites)),
            ("Databases open", Count.text(figures.open)),
            ("Disk", disk ?? "the system does not say"),
        ].map(Fact.init)
    }

    /// The time since the last backup began.
    private static func lastBackup(_ call: ConsoleCall) -> String {
        let site = call.page.site
        guard let last = BackupNote.read(site.wire.folder) else { return "none" }
        let hours = max(0, (site.accounts.now() - last.began).components.seconds) / 3600
        return switch hours {
        case 0: "this hour"
        case ..<48: "\(hours) h ago"
        default: "\(hours / 24) days ago"
        }
    }
}

extension OverviewView {
    struct Content: ConsoleContent {
        static let template = "console-overview"

        /// The server's origin as seen by the browser.
        let server: String
        let figures: [OverviewFigure]
        let storage: SheetView
        let refusals: [Refusal]
        let hasNoRefusals: Bool
        let audit: SheetView
        let worth: [WorthALook]
        /// Whether nothing is worth a look.
        let hasNothing: Bool
        let facts: [Fact]

        init(
            server: String, figures: [OverviewFigure], storage: SheetView, refusals: [Refusal], hasNoRefusals: Bool,
            audit: SheetView, worth: [WorthALook], hasNothing: Bool, facts: [Fact]
        ) {
            self.server = server
            self.figures = figures
            self.storage = storage
            self.refusals = refusals
            self.hasNoRefusals = hasNoRefusals
            self.audit = audit
            self.worth = worth
            self.hasNothing = hasNothing
            self.facts = facts
        }
        /// The form of a new container.
        let new = NewContainerView.path

        struct Refusal: PageView {
            let kind: String
            let code: String
            let address: String
            let sentence: String
            /// The request's user, container and environment; nil for an anonymous request.
            let by: String?
            let time: ShownTime
        }
    }
}
