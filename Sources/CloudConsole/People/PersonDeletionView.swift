import CloudHTTP
import CloudWire
import CloudPages
import CloudModel
import CloudOperations
import CloudTransfer

/// Lists a person's data, with the button to delete the data.
enum PersonDeletionView {
    static func address(_ email: String) -> String {
        ConsoleAddress.make("/console/person", [("email", email), ("view", "deletion")])
    }

    static let show: ConsoleEndpoint = { call in
        let email = try call.query.text("email")
        let data = try await call.operations.run(DeletionOperations.preview, ["email": .string(email)])
        let content = SheetsContent(
            now: call.now, sheets: [sheet(data)],
            links: [PageLink(label: "Keep", address: PersonView.address(data.name))],
            buttons: [
                SheetsContent.Button(
                    label: "Delete for good", path: "/console/person",
                    fields: [("email", data.name), ("do", "delete")].map(FilledField.init), isDanger: true)
            ],
            facts: [
                Fact(title: "Goes", value: "The account and all that is listed below. It cannot be undone."),
                Fact(title: "Stays", value: "Records in public databases, under a name that says nothing."),
                Fact(title: "Sessions", value: "\(data.sessions)"),
            ])
        return try call.render(
            content, title: "Delete \(data.name)?", view: .people, place: try await call.place())
    }

    private static func sheet(_ data: PersonDataInfo) -> Sheet {
        Sheet(
            title: "What goes",
            columns: [
                .init(title: "Container"), .init(title: "Environment"), .init(title: "Zones", isNumber: true),
                .init(title: "Records", isNumber: true), .init(title: "Size", isNumber: true),
                .init(title: "Own shares"), .init(title: "Joined shares", isNumber: true), .init(title: "Push"),
                .init(title: "Keys", isNumber: true),
            ],
            rows: data.environments.filter { !$0.footprint.isEmpty }.map { place in
                let has = place.footprint
                return [
                    .name(place.container), Sheet.Cell(place.environment.rawValue), .amount(has.zones),
                    .amount(has.records), Sheet.Cell(ByteCount.text(Int64(has.bytes + has.assetBytes)), isNumber: true),
                    Sheet.Cell(shares(has)), .amount(has.memberships), Sheet.Cell(push(has)), .amount(has.keys),
                ]
            }, empty: "This person has no data in any container.")
    }

    private static func shares(_ has: PersonFootprint) -> String {
        guard has.shares > 0 else { return "" }
        return "\(has.shares) with " + Count.text(has.shareMembers, of: "person", "people")
    }

    private static func push(_ has: PersonFootprint) -> String {
        [(has.devices, "device"), (has.subscriptions, "subscription")].filter { $0.0 > 0 }
            .map { Count.text($0.0, of: $0.1) }.joined(separator: ", ")
    }
}
