import CloudHTTP
import CloudPages
import CloudModel

/// Links from a request's verdict to console pages.
struct RequestWays {
    let record: RequestRecord
    let verdict: RequestVerdict
    /// Whether the console has the emulator's view.
    let hasEmulator: Bool

    /// The routes that Act as can rehearse.
    private static let triable: Set<String> = ["records/query", "records/modify", "records/lookup"]

    var links: [PageLink] {
        verdict.ways.compactMap { way in address(way).map { PageLink(label: label(way), address: $0) } }
    }

    /// The container and environment of the request.
    private var place: ConsolePlace? {
        guard let container = record.container, let environment = record.environment else { return nil }
        return ConsolePlace(container: container, environment: environment, containers: [])
    }

    /// - Returns: nil where the request's record lacks the page's parameters.
    private func address(_ way: Remedy.Way) -> String? {
        switch way {
        case .record: conflicting
        case .schema: place?.address("/console/schema")
        case .deploy: place?.address(SchemaTab.deploy.path)
        case .person: record.user.map(Self.person)
        case .actAs: trial
        case .shares: place?.address(ConsoleView.shares.path)
        case .settings: ConsoleView.settings.path
        case .emulator: hasEmulator ? place?.address(ConsoleView.emulator.path) ?? ConsoleView.emulator.path : nil
        }
    }

    private func label(_ way: Remedy.Way) -> String {
        switch way {
        case .record: "Open the record"
        case .schema: "Open the schema"
        case .deploy: "Review and deploy"
        case .person: "Find the person"
        case .actAs: "Try it as \(record.user == nil ? "nobody" : "this user")"
        case .shares: "Open the shares"
        case .settings: "Open the settings"
        case .emulator: "Open the emulator"
        }
    }

    /// The People view's search for a user.
    static func person(_ user: String) -> String {
        ConsoleAddress.make(ConsoleView.people.path, [("matching", user)])
    }

    private var conflicting: String? {
        guard let place, let zone = verdict.conflict?.zone, let name = verdict.conflict?.recordName else { return nil }
        let user = zone.owner == ZoneID.publicOwner ? nil : zone.owner
        return ConsoleAddress.make(
            "/console/record",
            [
                ("container", place.container), ("environment", place.environment.rawValue), ("user", user),
                ("zone", zone.name), ("name", name),
            ])
    }

    private var trial: String? {
        guard let database = record.database, Self.triable.contains(record.route) else { return nil }
        return place?.address(
            ConsoleView.actAs.path,
            [
                "as": record.user == nil ? "nobody" : "user", "who": record.user, "operation": String(record.route),
                "database": database.rawValue,
            ])
    }
}
