import CloudModel

/// The controls of a reference: the name of its target, what a deletion of that does, and where it is.
struct ReferenceEditor {
    let name: String
    let texts: FieldTexts
    let spot: DataSpot

    private static let words: [RecordReference.Action: String] = [
        .none: "stays when it goes", .deleteSelf: "goes with it", .validate: "keeps it",
    ]

    var content: PageContent {
        var content: [String: Any] = [
            "name": name, "value": texts.text,
            "actions": RecordReference.Action.allCases.map { action in
                var option: [String: Any] = [
                    "value": action.rawValue, "label": "\(action.rawValue), \(Self.words[action] ?? "")",
                ]
                if action.rawValue == texts.action { option["isChosen"] = true }
                return PageContent(option)
            },
            "choice": spot.address(),
        ]
        if spot.user != nil {
            content["elsewhere"] = PageContent(["name": name, "zone": texts.zone, "owner": texts.owner])
        }
        if !texts.text.isEmpty { content["target"] = target }
        return PageContent(content)
    }

    private var target: String {
        spot.place.address(
            "/console/record",
            [
                "user": texts.owner.isEmpty ? spot.user : texts.owner,
                "zone": texts.zone.isEmpty ? spot.zone : texts.zone, "name": texts.text,
            ])
    }
}
