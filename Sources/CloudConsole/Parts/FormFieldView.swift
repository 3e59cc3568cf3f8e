import CloudPages
import Mustache

/// A form field as template values: `console-control` shows its control, `console-fields` and `console-pairs` show it with
/// its label.
struct FormFieldView: PageView, MustacheParent {
    let id: String
    let name: String
    let label: String
    let value: String
    let hint: String
    /// Whether an element of the control has the label.
    let isLabelled: Bool
    let isLine: Bool
    let isArea: Bool
    let rows: String
    let isMenu: Bool
    let options: [Choice]
    let boxes: [Box]
    let classes: String?
    let inputmode: String?
    let isCode: Bool
    let placeholder: String?
    let maxlength: String?
    let isRequired: Bool
    let spoken: String?
    let described: String?
    let isWrong: Bool

    /// A box to check.
    struct Box: PageView, MustacheParent {
        let value: String
        let text: String
        let isChecked: Bool
        /// Whether the box stands among others.
        let isOneOfMany: Bool

        var shown: Any? { self }

        func child(named name: String) -> Any? {
            switch name {
            case "value": value
            case "text": text
            case "isChecked": isChecked
            case "isOneOfMany": isOneOfMany
            default: nil
            }
        }
    }

    /// - Parameter form: the start of the control's id; empty for a page's only form.
    init(_ field: FormField, in form: String = "") {
        let control = Control(field)
        id = form.isEmpty ? field.name : "\(form).\(field.name)"
        name = field.name
        label = field.label
        value = field.value
        hint = field.hint
        isLabelled = control.boxes.isEmpty
        isLine = control.shape == .line
        isArea = control.shape == .area
        rows = "\(control.rows)"
        isMenu = control.shape == .menu
        options = control.options
        boxes = control.boxes
        isCode = control.isCode
        let all = [(field.isMono ?? control.isCode) ? "mono" : "", field.classes].filter { !$0.isEmpty }
        classes = all.isEmpty ? nil : all.joined(separator: " ")
        inputmode = control.inputmode
        placeholder = field.placeholder
        maxlength = field.limit.map { "\($0)" }
        isRequired = field.isRequired
        spoken = field.spoken
        described = field.described
        isWrong = field.isWrong
    }

    /// The control for a field's kind.
    private struct Control {
        enum Shape { case line, area, menu, boxes }

        var shape = Shape.line
        var rows = 1
        var options: [Choice] = []
        var boxes: [Box] = []
        var inputmode: String?
        /// Whether the text is of the wire, not of words.
        var isCode = false

        init(_ field: FormField) {
            switch field.kind {
            case .text: break
            case .code, .moment: isCode = true
            case .number: inputmode = "numeric"
            case .decimal: inputmode = "decimal"
            case .words(let rows): (shape, self.rows) = (.area, rows)
            case .area(let rows): (shape, self.rows, isCode) = (.area, rows, true)
            case .menu(let values):
                shape = .menu
                options = values.map { Choice(value: $0.value, label: $0.label, isChosen: $0.value == field.value) }
            case .checks(let values):
                shape = .boxes
                boxes = values.map { Box(value: $0, text: $0, isChecked: false, isOneOfMany: true) }
            case .check(let value):
                shape = .boxes
                boxes = [
                    Box(value: value, text: field.label, isChecked: !field.value.isEmpty, isOneOfMany: false)
                ]
            }
        }
    }

    // A form may have hundreds of fields, and reflection takes microseconds for each.
    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "name": self.name
        case "label": label
        case "value": value
        case "hint": hint
        case "isLabelled": isLabelled
        case "isLine": isLine
        case "isArea": isArea
        case "rows": rows
        case "isMenu": isMenu
        case "options": options.shown
        case "boxes": boxes.shown
        case "classes": classes
        case "inputmode": inputmode
        case "isCode": isCode
        case "placeholder": placeholder
        case "maxlength": maxlength
        case "isRequired": isRequired
        case "spoken": spoken
        case "described": described
        case "isWrong": isWrong
        default: nil
        }
    }
}
