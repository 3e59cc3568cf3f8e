import CloudModel
import CloudOperations

/// The editor of one field on a record's page.
struct FieldEditor {
    let name: String
    let declaration: FieldDeclaration
    /// As stored; nil for none.
    let value: JSONValue?
    let spot: DataSpot
    /// What was typed before and not saved; nil on a page that is opened.
    let given: FormFields?
    /// The reason why it was not saved.
    let fault: String?
    /// Whether the record is to be made, whatever the form before was made of.
    let isNew: Bool

    private var type: FieldType { declaration.type }

    /// As they stand in the controls; nil for a field that is only shown.
    private var texts: FieldTexts? {
        given.flatMap { FieldTexts($0, field: name) } ?? FieldTexts(value, type, at: spot)
    }

    /// As the form was made with.
    private var original: String {
        if isNew { return "" }
        return given?["o.\(name)"].map(FormFields.lines) ?? FieldTexts(value, type, at: spot)?.whole ?? ""
    }

    /// Bytes of a form that has it.
    var formBytes: Int {
        guard let texts else { return 0 }
        return FormFields.encodedSize(texts.text) + FormFields.encodedSize(original)
    }

    /// - Parameters:
    ///   - hasRoom: whether the form can carry its texts.
    ///   - files: where the assets of the record are.
    func content(hasRoom: Bool, files: RecordFiles) -> PageContent {
        var content: [String: Any] = [
            "name": name, "kind": type.name,
            "marks": IndexKind.allCases.filter(declaration.indexes.contains).map { $0.rawValue.lowercased() }
                .joined(separator: ", "),
        ]
        content["fault"] = fault
        if type.kind == .asset { content["files"] = files.contents(value) }
        if hasRoom, let texts {
            fill(&content, texts)
        } else if type.kind != .asset {
            content["fixed"] = value.map { WireText.lines($0) }
            if value != nil, texts != nil { content["remark"] = "Too long for this form. The admin API changes it." }
        }
        if value == nil, content["label"] == nil { content["isMissing"] = true }
        return PageContent(content)
    }

    private func fill(_ content: inout [String: Any], _ texts: FieldTexts) {
        content["original"] = PageContent.field(name, original)
        if texts.whole != original || texts.isRemoved { content["isChanged"] = true }
        if value != nil || texts.isRemoved {
            content["removal"] = PageContent(texts.isRemoved ? ["name": name, "isChosen": true] : ["name": name])
        }
        guard type.kind != .asset else { return }
        content["label"] = name
        if !texts.details.isEmpty { content["details"] = PageContent.field(name, texts.details) }
        content["remark"] = remark(texts)
        content["hint"] = hint
        if type.kind == .reference, !type.isList {
            content["reference"] = ReferenceEditor(name: name, texts: texts, spot: spot).content
        } else {
            content[control] = PageContent([
                "name": name, "value": texts.text, "rows": "\(min(8, 1 + texts.text.utf8.count { $0 == 10 }))",
            ])
        }
        if type.kind == .location, !type.isList { content["map"] = EarthMap(texts.text)?.content }
    }

    private var control: String {
        if type.isList || type.kind == .bytes { return "code" }
        if WireText.isNumber(type) || type.kind == .timestamp { return "number" }
        return type.kind == .location ? "line" : "text"
    }

    /// What the value is in other words.
    private func remark(_ texts: FieldTexts) -> String? {
        if let list = value?.array { return list.count == 1 ? "1 value" : "\(list.count) values" }
        switch type.kind {
        case .timestamp where value != nil: return WireText.text(value, type)
        case .bytes:
            guard let text = value?.string else { return nil }
            return ByteCount.text(Int64(Base64.byteCount(padded: text)))
        case .location where !texts.details.isEmpty: return "kept with it: \(texts.details)"
        default: return nil
        }
    }

    /// How a value is written.
    private var hint: String? {
        if type.hasLines {
            return type.kind == .string
                ? "One value a line, or a JSON array: for texts that are empty or have line breaks."
                : "One value a line, or a JSON array."
        }
        if type.isList { return "A JSON array of values as the wire has them." }
        switch type.kind {
        case .bytes: return "Base64."
        case .location: return "Latitude, longitude."
        default: return nil
        }
    }
}

/// The controls of a reference: the name of its target, what a deletion of that does, and where it is.
private struct ReferenceEditor {
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

/// A drawing of the Earth with one place on it.
private struct EarthMap {
    private let latitude: Double
    private let longitude: Double
    private static let (width, height) = (272.0, 84.0)

    /// - Parameter text: `latitude, longitude`.
    init?(_ text: String) {
        let pair = text.split(separator: ",").compactMap { Double($0.drop(while: \.isWhitespace)) }
        guard pair.count == 2, abs(pair[0]) <= 90, abs(pair[1]) <= 180 else { return nil }
        (latitude, longitude) = (pair[0], pair[1])
    }

    var content: PageContent {
        PageContent([
            "x": "\(((longitude + 180) / 360 * Self.width).rounded())",
            "y": "\(((90 - latitude) / 180 * Self.height).rounded())",
            "words": "\(abs(latitude)) \(latitude < 0 ? "south" : "north"), "
                + "\(abs(longitude)) \(longitude < 0 ? "west" : "east") on a map of the Earth",
        ])
    }
}

extension FormFields {
    /// Bytes of a text as a browser sends it.
    static func encodedSize(_ text: String) -> Int {
        text.utf8.reduce(0) { size, byte in
            switch byte {
            case UInt8(ascii: "\n"): size + 6
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "*"):
                size + 1
            default: size + 3
            }
        }
    }
}
