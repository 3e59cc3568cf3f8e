import CloudModel
import CloudOperations
import CloudStore
import Hummingbird

/// What a person's deletion would remove, with the button that does it.
enum PersonDeletionView {
    static func address(_ email: String) -> String {
        ConsoleAddress.make("/console/person", [("email", email), ("view", "deletion")])
    }

    static let show: ConsoleEndpoint = { call in
        let email = try call.query.text("email")
        let data = try await call.operations.run(DeletionOperations.preview, ["email": .string(email)])
        return try call.render(
            "Delete \(data.email)?", view: .people, place: try await call.place(), sheets: [sheet(data)],
            [
                "hasFacts": true,
                "facts": [
                    PageContent(["title": "Goes", "value": "The account and all below, which cannot be undone."]),
                    PageContent(["title": "Stays", "value": "Records in public databases, under an opaque name."]),
                    PageContent(["title": "Sessions", "value": "\(data.sessions)"]),
                ],
                "links": [PageContent(["label": "Keep", "address": PersonView.address(data.email)])],
                "buttons": [
                    PageContent([
                        "label": "Delete for good", "form": call.guarded.value, "path": "/console/person",
                        "fields": [PageContent.field("email", data.email), PageContent.field("do", "delete")],
                    ])
                ],
            ])
    }

    private static func sheet(_ data: PersonDataInfo) -> Sheet {
        let titles = [
            "Container", "Environment", "Records", "Zones", "Bytes", "Of assets", "Shares", "Their members",
            "Memberships", "Subscriptions", "Devices", "Keys",
        ]
        return Sheet(
            title: "What goes", columns: titles.map { .init(title: $0) },
            rows: data.environments.map { place in
                let has = place.footprint
                let counts = [
                    has.records, has.zones, has.bytes, has.assetBytes, has.shares, has.shareMembers, has.memberships,
                    has.subscriptions, has.devices, has.keys,
                ]
                return [.name(place.container), Sheet.Cell(place.environment.rawValue)]
                    + counts.map { Sheet.Cell("\($0)") }
            }, empty: "This person has no data in any container.")
    }
}
