import CloudModel
import CloudOperations
import Hummingbird

/// `/console/shares`: all shares of an environment, with the people in them.
enum SharesView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let page = try await call.operations.run(
            ShareOperations.list, place.arguments(["after": call.query["after"], "limit": "100"]))
        let sheet = Sheet(
            title: "Shares",
            columns: [
                .init(title: "Share"), .init(title: "Owner"), .init(title: "What"),
                .init(title: "People", isNumber: true),
                .init(title: "By link"), .init(title: "Page"), .init(title: "Action"),
            ],
            rows: page.items.map { row($0, place) },
            empty: "Nothing is shared here.",
            next: page.next.map { place.address(ConsoleView.shares.path, ["after": $0]) })
        return try call.render(SheetsContent(sheets: [sheet]), title: "Shares", view: .shares, place: place)
    }

    static let stop: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        _ = try await call.operations.run(
            ShareOperations.stop, place.arguments(["shortGUID": try call.form.text("shortGUID")]))
        return .seeOther(place.address(ConsoleView.shares.path))
    }

    private static func row(_ share: ShareInfo, _ place: ConsolePlace) -> [Sheet.Cell] {
        let what = share.recordName.map { place.record($0, of: share) }
        return [
            Sheet.Cell(share.title ?? share.shortGUID, link: "/share/\(PercentEncoding.encode(share.shortGUID))"),
            .name(
                share.ownerRecordName,
                link: place.address("/console/data", ["user": share.ownerRecordName, "zone": share.zone])),
            .name(share.recordName ?? "all of \(share.zone)", link: what), .number(share.participants.count),
            Sheet.Cell(share.publicPermission.lowercased().replacing("_", with: " ")),
            Sheet.Cell(share.isOpen ? "open" : "closed", badge: share.isOpen ? "good" : "warn"),
            Sheet.Cell(
                "",
                action: Sheet.Action(
                    label: "Stop",
                    fields: [
                        ("container", place.container), ("environment", place.environment.rawValue),
                        ("shortGUID", share.shortGUID),
                    ])),
        ]
    }
}

extension ConsolePlace {
    fileprivate func record(_ name: String, of share: ShareInfo) -> String {
        address("/console/record", ["user": share.ownerRecordName, "zone": share.zone, "name": name])
    }
}
