import CloudPages
import CloudModel

/// The controls of a reference: target name, action on deletion, and target zone.
struct ReferenceEditor {
    /// The field's name.
    let name: String
    let texts: FieldTexts
    let spot: DataSpot
    let isWrong: Bool

    private static let words: [RecordReference.Action: String] = [
        .none: "stays when it goes", .deleteSelf: "goes with it", .validate: "keeps it",
    ]

    var view: View {
        View(
            controls: ([target, action] + (spot.user == nil ? [] : elsewhere)).map { FormFieldView($0) },
            target: texts.text.isEmpty ? nil : address, choice: spot.address())
    }

    struct View: PageView {
        /// The target's name, what its deletion does, and in private databases its zone.
        let controls: [FormFieldView]
        /// The target's address; nil without a target.
        let target: String?
        /// The address of a table for choosing the target.
        let choice: String
    }

    private var target: FormField {
        FormField("f.\(name)", name, .code, value: texts.text).with {
            $0.placeholder = "record name"
            $0.isWrong = isWrong
            $0.described = isWrong ? "e.\(name)" : nil
        }
    }

    private var action: FormField {
        let actions = RecordReference.Action.allCases.map {
            (value: $0.rawValue, label: "\($0.rawValue), \(Self.words[$0] ?? "")")
        }
        return FormField("a.\(name)", name, .menu(actions), value: texts.action).with {
            $0.spoken = "\(name): what its deletion does"
        }
    }

    private var elsewhere: [FormField] {
        [
            FormField("z.\(name)", name, .code, value: texts.zone).with {
                $0.placeholder = "this zone"
                $0.spoken = "\(name): zone"
            },
            FormField("u.\(name)", name, .code, value: texts.owner).with {
                $0.placeholder = "same owner"
                $0.spoken = "\(name): owner of the zone"
            },
        ].map { $0.with { $0.classes = "narrow-input" } }
    }

    private var address: String {
        spot.place.address(
            "/console/record",
            [
                "user": texts.owner.isEmpty ? spot.user : texts.owner,
                "zone": texts.zone.isEmpty ? spot.zone : texts.zone, "name": texts.text,
            ])
    }
}
