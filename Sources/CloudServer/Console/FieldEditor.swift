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
    /// The name of the record; nil for one that is to be made, whatever the form before was made of.
    let record: String?

    private var type: FieldType { declaration.type }

    /// As they stand in the controls; nil for a field that is only shown.
    private var texts: FieldTexts? {
        given.flatMap { FieldTexts($0, field: name) } ?? FieldTexts(value, type, at: spot)
    }

    /// As the form was made with.
    private var original: String {
        if record == nil { return "" }
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
        if value == nil, content["label"] == nil, content["receipt"] == nil { content["isMissing"] = true }
        return PageContent(content)
    }

    private func fill(_ content: inout [String: Any], _ texts: FieldTexts) {
        content["original"] = PageContent.field(name, original)
        if texts.whole != original || texts.isRemoved { content["isChanged"] = true }
        if value != nil || texts.isRemoved {
            content["removal"] = PageContent(texts.isRemoved ? ["name": name, "isChosen": true] : ["name": name])
        }
        guard type.kind != .asset else { return fillFile(&content, texts) }
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

    /// A file is replaced by the receipt of another, which an upload answers.
    private func fillFile(_ content: inout [String: Any], _ texts: FieldTexts) {
        if !texts.isRemoved, texts.whole != original {
            content["receipt"] = PageContent.field(name, texts.text)
            let size = (try? JSONParser.parse(Array(texts.text.utf8)))?.object?["size"]?.integer
            content["remark"] =
                "A new file" + (size.map { " of \(ByteCount.text($0))" } ?? "") + ", which Save puts here."
        }
        if let record {
            content["replacement"] = spot.address("/console/file", [("name", record), ("field", name)])
        }
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
