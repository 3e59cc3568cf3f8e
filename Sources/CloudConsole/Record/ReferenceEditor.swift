import CloudPages
import CloudModel

/// The controls of a reference: target name, action on deletion, and target zone.
struct ReferenceEditor {
    let texts: FieldTexts
    let spot: DataSpot

    private static let words: [RecordReference.Action: String] = [
        .none: "stays when it goes", .deleteSelf: "goes with it", .validate: "keeps it",
    ]

    var view: View {
        View(
            value: texts.text,
            actions: RecordReference.Action.allCases.map { action in
                Choice(
                    value: action.rawValue, label: "\(action.rawValue), \(Self.words[action] ?? "")",
                    isChosen: action.rawValue == texts.action)
            },
            elsewhere: spot.user == nil ? nil : View.Elsewhere(zone: texts.zone, owner: texts.owner),
            target: texts.text.isEmpty ? nil : target, choice: spot.address())
    }

    struct View: PageView {
        let value: String
        let actions: [Choice]
        /// The target's zone; nil outside private databases.
        let elsewhere: Elsewhere?
        /// The target's address; nil without a target.
        let target: String?
        /// The address of a table for choosing the target.
        let choice: String

        struct Elsewhere: PageView {
            let zone: String
            let owner: String
        }
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
