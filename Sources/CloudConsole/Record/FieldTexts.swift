import CloudHTTP
import CloudPages
import CloudModel

/// The texts in a field's controls, from a submitted form or from a value.
struct FieldTexts: Equatable {
    var text = ""
    /// A reference's action.
    var action = RecordReference.Action.none.rawValue
    /// The zone of a reference's target and its owner; empty for the record's own zone.
    var zone = ""
    var owner = ""
    /// A location's members other than its coordinates, as JSON.
    var details = ""
    /// Whether the field's value is removed.
    var isRemoved = false

    init() {}

    /// - Returns: nil if the field is absent from the form.
    init?(_ form: FormFields, field: String) {
        isRemoved = form["n.\(field)"] != nil
        guard isRemoved || form["f.\(field)"] != nil else { return nil }
        text = FormFields.lines(form["f.\(field)"] ?? "")
        action = form["a.\(field)"] ?? action
        zone = form["z.\(field)"] ?? ""
        owner = form["u.\(field)"] ?? ""
        details = form["d.\(field)"] ?? ""
    }

    /// - Returns: nil for a value or type without a control.
    init?(_ value: JSONValue?, _ type: FieldType, at spot: DataSpot) {
        guard !type.isEncrypted, type.kind != .asset || !type.isList else { return nil }
        guard let value, value != .null else { return }
        if type.isList {
            guard let text = Self.list(value, type) else { return nil }
            self.text = text
            return
        }
        let object = value.object
        switch type.kind {
        case .string, .int64, .double, .timestamp, .number:
            guard let text = WireText.edited(value, type) else { return nil }
            self.text = text
        case .bytes:
            guard let text = value.string else { return nil }
            self.text = text
        case .asset: text = object?["fileChecksum"]?.string ?? ""
        case .location:
            guard let object, let latitude = object["latitude"], let longitude = object["longitude"] else { return nil }
            text = "\(WireText.json(latitude)), \(WireText.json(longitude))"
            let others = object.members.filter { !["latitude", "longitude"].contains($0.key) }
            if !others.isEmpty { details = WireText.json(.object(JSONObject(others))) }
        case .reference:
            guard let name = object?["recordName"]?.string else { return nil }
            text = name
            action = object?["action"]?.string ?? action
            setZone(object?["zoneID"]?.object, at: spot)
        }
    }

    private mutating func setZone(_ target: JSONObject?, at spot: DataSpot) {
        guard let user = spot.user, let name = target?["zoneName"]?.string else { return }
        let other = target?["ownerRecordName"]?.string
        if name != spot.zone { zone = name }
        if let other, other != user { owner = other }
    }

    /// All texts joined into one, for detecting changes.
    var whole: String {
        if text.isEmpty, zone.isEmpty, owner.isEmpty { return "" }
        let isPlain = action == RecordReference.Action.none.rawValue && zone.isEmpty && owner.isEmpty
        return isPlain ? text : [text, action, zone, owner].joined(separator: "\n")
    }

    /// The text that represents the field in a comparison of versions.
    var shown: String {
        if isRemoved || whole.isEmpty { return "none" }
        var words = [text]
        if action != RecordReference.Action.none.rawValue { words.append(action) }
        if !zone.isEmpty { words.append("in zone \(zone)") }
        if !owner.isEmpty { words.append("of \(owner)") }
        if !details.isEmpty { words.append(details) }
        return words.joined(separator: "\n")
    }

    /// The texts as hidden fields of a form.
    func hidden(_ field: String) -> [FilledField] {
        var fields = [("f", text), ("a", action), ("z", zone), ("u", owner), ("d", details)]
        if isRemoved { fields = [("n", "1")] }
        return fields.map { FilledField(name: "\($0.0).\(field)", value: $0.1) }
    }
}

// MARK: Lists

extension FieldType {
    /// Whether a list is edited with one value per line rather than as a JSON array.
    var hasLines: Bool { isList && kind.isOneLine }
}

extension FieldKind {
    /// Whether a value's editor holds the plain value, and a list's editor a value per line.
    var isOneLine: Bool {
        switch self {
        case .string, .int64, .double, .timestamp, .number: true
        case .bytes, .location, .reference, .asset: false
        }
    }
}

extension FieldTexts {
    /// The list with one value per line if unambiguous, else as a JSON array.
    private static func list(_ value: JSONValue, _ type: FieldType) -> String? {
        guard let elements = value.array else { return nil }
        guard !elements.isEmpty else { return "" }
        if type.hasLines {
            let lines = elements.map { WireText.edited($0, FieldType(type.kind)) }
            guard !lines.contains(nil) else { return nil }
            let texts = lines.compactMap(\.self)
            let isPlain = texts.allSatisfy { !$0.isEmpty && !$0.utf8.contains { $0 == 10 || $0 == 13 } }
            if isPlain, texts[0].first(where: { !$0.isWhitespace }) != "[" { return texts.joined(separator: "\n") }
        }
        return "[\n" + elements.map { "  " + WireText.json($0) }.joined(separator: ",\n") + "\n]"
    }
}
