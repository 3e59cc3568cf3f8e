import CloudHTTP
import CloudWire
import CloudModel
import CloudOperations

/// The editor of a field on a record's page.
struct FieldEditor {
    let name: String
    let declaration: FieldDeclaration
    /// The stored value; nil for none.
    let value: JSONValue?
    let spot: DataSpot
    /// The submitted form after a failed save; nil on a fresh page.
    let given: FormFields?
    /// The reason for a failed save.
    let fault: String?
    /// The record's name; nil for a new record, even if the submitted form edited an existing record.
    let record: String?

    private var type: FieldType { declaration.type }

    /// The texts of the controls; nil for a read-only field.
    private var texts: FieldTexts? {
        given.flatMap { FieldTexts($0, field: name) } ?? FieldTexts(value, type, at: spot)
    }

    /// The field's texts when the form was made.
    private var original: String {
        if record == nil { return "" }
        return given?["o.\(name)"].map(FormFields.lines) ?? FieldTexts(value, type, at: spot)?.whole ?? ""
    }

    /// The encoded size of the field in the form, in bytes.
    var formBytes: Int {
        guard let texts else { return 0 }
        return FormFields.encodedSize(texts.text) + FormFields.encodedSize(original)
    }

    /// - Parameters:
    ///   - hasRoom: whether the field's texts fit into the form.
    ///   - files: the record's assets.
    func view(hasRoom: Bool, files: RecordFiles) -> FieldView {
        var view = FieldView(
            name: name, kind: type.name,
            marks: IndexKind.allCases.filter(declaration.indexes.contains).map { $0.rawValue.lowercased() }
                .joined(separator: ", "), fault: fault)
        if type.kind == .asset { view.files = files.files(value) }
        if hasRoom, let texts {
            fill(&view, texts)
        } else if type.kind != .asset {
            view.fixed = value.map { WireText.lines($0) }
            if value != nil, texts != nil { view.remark = "Too long for this form. The admin API changes it." }
        }
        view.isMissing = value == nil && !view.hasControl && view.receipt == nil
        return view
    }

    private func fill(_ view: inout FieldView, _ texts: FieldTexts) {
        view.original = original
        view.isChanged = texts.whole != original || texts.isRemoved
        view.canBeRemoved = value != nil || texts.isRemoved
        view.isRemoved = texts.isRemoved
        guard type.kind != .asset else { return fillFile(&view, texts) }
        view.hasControl = true
        if !texts.details.isEmpty { view.details = texts.details }
        view.remark = remark(texts)
        view.hint = hint
        if type.kind == .reference, !type.isList {
            view.reference = ReferenceEditor(name: name, texts: texts, spot: spot, isWrong: fault != nil).view
        } else {
            view.control = FormFieldView(control(texts))
        }
        if type.kind == .location, !type.isList { view.map = EarthMap(texts.text) }
    }

    /// An upload's receipt replaces a file.
    private func fillFile(_ view: inout FieldView, _ texts: FieldTexts) {
        if !texts.isRemoved, texts.whole != original {
            view.receipt = texts.text
            let size = (try? JSONParser.parse(Array(texts.text.utf8)))?.object?["size"]?.integer
            view.remark = "A new file" + (size.map { " of \(ByteCount.text($0))" } ?? "") + ", which Save puts here."
        }
        view.isReplaceable = record != nil
    }

    private func control(_ texts: FieldTexts) -> FormField {
        let rows = min(8, 1 + texts.text.utf8.count { $0 == 10 })
        let kind: FormField.Kind =
            if type.isList || type.kind == .bytes {
                .area(rows: rows)
            } else if WireText.isNumber(type) || type.kind == .timestamp {
                .decimal
            } else if type.kind == .location { .code } else { .words(rows: rows) }
        return FormField("f.\(name)", name, kind, value: texts.text).with {
            if case .decimal = kind { $0.isMono = true }
            $0.isWrong = fault != nil
            $0.described = fault == nil ? nil : "e.\(name)"
        }
    }

    /// A readable form of the value, such as its size or element count.
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

    /// The input format.
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
    /// The size of a URL-encoded text in bytes.
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
