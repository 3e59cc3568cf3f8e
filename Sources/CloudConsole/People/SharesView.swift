import CloudHTTP
import CloudModel
import CloudOperations

/// `/console/shares`: an environment's shares with their participants.
enum SharesView {
    static let show: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        let page = try await call.operations.run(
            ShareOperations.list, place.arguments(["after": call.query["after"], "limit": "100"]))
        let names = try await KnownPeople(call, page.items.map(\.ownerRecordName), in: place.container)
        let sheet = Sheet(
            title: "Shares",
            columns: [
                .init(title: "Share"), .init(title: "Owner"), .init(title: "What"),
                .init(title: "People"), .init(title: "By link"), .init(title: "Page"), .init(title: "Ends"),
                .init(title: "Action"),
            ],
            rows: page.items.map { row($0, place, names) },
            empty: "Nothing is shared here.",
            next: page.next.map { place.address(ConsoleView.shares.path, ["after": $0]) })
        return try call.render(
            SheetsContent(now: call.now, sheets: [sheet]), title: "Shares", view: .shares, place: place)
    }

    static let stop: ConsoleEndpoint = { call in
        let place = try await call.requirePlace()
        _ = try await call.operations.run(
            ShareOperations.stop, place.arguments(["shortGUID": try call.form.text("shortGUID")]))
        return .seeOther(place.address(ConsoleView.shares.path))
    }

    private static func row(_ share: ShareInfo, _ place: ConsolePlace, _ names: KnownPeople) -> [Sheet.Cell] {
        let what = share.recordName.map { place.record($0, of: share) }
        return [
            Sheet.Cell(share.title ?? share.shortGUID, link: "/share/\(PercentEncoding.encode(share.shortGUID))"),
            names.cell(
                share.ownerRecordName,
                link: place.address("/console/data", ["user": share.ownerRecordName, "zone": share.zone])),
            .name(share.recordName ?? "all of \(share.zone)", link: what), Sheet.Cell(people(in: share), isWhole: true),
            Sheet.Cell(share.publicPermission.lowercased().replacing("_", with: " ")),
            Sheet.Cell(
                (share.isOpen ? "open" : "closed") + (share.hasPassword ? ", with a password" : ""),
                badge: share.isOpen ? "good" : "warn"),
            share.expires.map(Sheet.Cell.time) ?? Sheet.Cell("never"),
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

extension SharesView {
    /// The most people named in a row.
    private static let mostPeople = 5

    /// A share's participants, with their permission and acceptance status.
    fileprivate static func people(in share: ShareInfo) -> String {
        let named = share.participants.prefix(mostPeople).map { person in
            let name = person.email ?? person.userRecordName ?? "somebody"
            if person.type == ParticipantType.owner.rawValue { return "\(name) (owner)" }
            let isAdministrator = person.type == ParticipantType.administrator.rawValue
            let may = isAdministrator ? "administers" : person.permission == "READ_WRITE" ? "writes" : "reads"
            return "\(name) (\(may), \(person.status.lowercased()))"
        }
        let rest = share.participants.count - named.count
        return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension ConsolePlace {
    fileprivate func record(_ name: String, of share: ShareInfo) -> String {
        address("/console/record", ["user": share.ownerRecordName, "zone": share.zone, "name": name])
    }
}
