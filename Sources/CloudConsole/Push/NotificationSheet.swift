import CloudModel
import CloudOperations

/// A table of an environment's latest notifications.
enum NotificationSheet {
    static func make(_ page: Page<NotificationLogInfo>, _ place: ConsolePlace, _ names: KnownPeople) -> Sheet {
        Sheet(
            title: "Sent lately", note: "what this server has queued and delivered since it started",
            columns: [
                .init(title: "Queued"), .init(title: "State"), .init(title: "Took", isNumber: true),
                .init(title: "About"), .init(title: "Subscription"), .init(title: "User"), .init(title: "To"),
            ],
            rows: page.items.map { item in
                [
                    .time(item.queued), state(item),
                    Sheet.Cell(item.latency.map { "\($0) ms" } ?? "", isNumber: true), about(item, place),
                    .name(item.subscriptionID ?? ""), names.cell(item.userRecordName),
                    .name(item.clientID ?? item.webhook.map { "webhook \($0)" } ?? ""),
                ]
            }, empty: "No notification has been queued here since the server started.",
            next: page.next.map { place.address(ConsoleView.push.path, ["notification": $0]) })
    }

    private static func about(_ item: NotificationLogInfo, _ place: ConsolePlace) -> Sheet.Cell {
        if let name = item.recordName {
            return .name(
                name,
                link: place.address(
                    "/console/record",
                    [
                        "name": name, "zone": item.zone == ZoneID.defaultName ? nil : item.zone,
                        "user": item.database == DatabaseScope.private.rawValue ? item.userRecordName : nil,
                    ]))
        }
        switch item.kind {
        case .keyValue: return Sheet.Cell("key-value store")
        case .database: return Sheet.Cell("\(item.database ?? "") database")
        case .query, .zone, nil: return Sheet.Cell(item.zone ?? "")
        }
    }

    private static func state(_ item: NotificationLogInfo) -> Sheet.Cell {
        switch item.state {
        case .queued: Sheet.Cell("queued", badge: "outline")
        case .delivered: Sheet.Cell("delivered by \(item.way ?? "")", badge: "good")
        case .failed: Sheet.Cell(item.fault ?? "", badge: "bad")
        }
    }
}
