import CloudAccounts
import CloudEngine
import CloudWire
import CloudPages
import CloudModel
import CloudOperations
import CloudStore
import CloudTransfer

/// A problem for the operator's attention, with its remedy.
struct WorthALook: PageView {
    let title: String
    let text: String
    /// The address of the page that solves the problem.
    let address: String
    let link: String

    static let most = 3
    /// The age from which a backup counts as old.
    private static let oldBackup = Duration.seconds(2 * 24 * 3600)
    /// The number of equal refusals in an hour from which they are reported.
    private static let manyRefusals = 20

    /// The most pressing problems, most pressing first.
    static func find(_ call: ConsoleCall, _ course: RequestCourse) async throws -> [WorthALook] {
        let found = [disk(call), try await database(call), try await webhook(call), build(call), backup(call)]
        return Array((found + [refusals(course)]).compactMap(\.self).prefix(most))
    }

    private static func disk(_ call: ConsoleCall) -> WorthALook? {
        let folder = call.page.site.wire.folder
        let least = Int64(call.page.site.limits.freeBytes)
        guard let (free, whole) = folder.disk, free < least || free < whole / 10 && free < 10 << 30 else { return nil }
        return WorthALook(
            title: "The disk is nearly full",
            text: "\(ByteCount.text(free)) of \(ByteCount.text(whole)) are left. Below \(ByteCount.text(least)) "
                + "the server reports itself unwell.",
            address: ConsoleView.settings.path, link: "Settings")
    }

    private static func database(_ call: ConsoleCall) async throws -> WorthALook? {
        let site = call.page.site
        let only = call.operations.identity.container
        let places = try await site.accounts.environments.made().filter { only == nil || $0.container.name == only }
        guard let fault = try await site.stores.faults(of: places).first else { return nil }
        return WorthALook(
            title: "A database has a fault",
            text: "\(fault.environment.label) of \(fault.container.name) \(fault.fault.reason). "
                + "'cumulus doctor' says what to do.",
            address: ConsoleAddress.make(ConsoleView.requests.path, [("refused", "true")]), link: "Refused requests")
    }

    private static func webhook(_ call: ConsoleCall) async throws -> WorthALook? {
        let webhooks = try await call.operations.all(WebhookOperations.list)
        guard let failing = webhooks.filter({ $0.deadLetters > 0 }).max(by: { $0.deadLetters < $1.deadLetters })
        else { return nil }
        let place = ConsolePlace(container: failing.container, environment: failing.environment, containers: [])
        return WorthALook(
            title: "A webhook fails",
            text: "\(failing.url) has not taken \(failing.deadLetters) messages. They can be sent again or dropped.",
            address: place.address(ConsoleView.push.path), link: "Dead letters")
    }

    private static func build(_ call: ConsoleCall) -> WorthALook? {
        guard call.page.site.stores.figures.failing > 0 else { return nil }
        return WorthALook(
            title: "A schema change cannot be finished",
            text: "It is tried again by itself. The server's log says what is in its way.",
            address: ConsoleView.schema.path, link: "Schema")
    }

    /// Nil on a development server, whose data is disposable.
    private static func backup(_ call: ConsoleCall) -> WorthALook? {
        let site = call.page.site
        let age = BackupNote.read(site.wire.folder).map { site.accounts.now() - $0.began }
        guard !site.isDevelopment, age.map({ $0 > oldBackup }) ?? true else { return nil }
        return WorthALook(
            title: age == nil ? "There is no backup" : "The last backup is old",
            text: "'cumulus backup create' makes one; backup.to and backup.every make them by themselves.",
            address: ConsoleView.settings.path, link: "Settings")
    }

    private static func refusals(_ course: RequestCourse) -> WorthALook? {
        guard let (code, count) = course.errors.max(by: { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }),
            count >= manyRefusals
        else { return nil }
        return WorthALook(
            title: "\(count) requests were refused with \(code.rawValue)",
            text: "In the last \(course.span == RequestCourse.minutes ? "hour" : "\(course.span) minutes"). "
                + "Each tells what decided.",
            address: ConsoleAddress.make(
                ConsoleView.requests.path, [("matching", code.rawValue), ("refused", "true")]), link: "See them")
    }
}
