import CloudOperations
import CloudPages

/// A field of a console form: its control, label and limits.
///
/// A property of an operation's input gives its field name, type, choices and limits, and outside of menus whether it is
/// required.
struct FormField {
    enum Kind {
        /// A line of words.
        case text
        /// A line of names or other text of the wire.
        case code
        /// A whole number.
        case number
        case decimal
        /// A time, as ISO 8601.
        case moment
        /// Lines of words.
        case words(rows: Int)
        /// Lines of keys, JSON or other text of the wire.
        case area(rows: Int)
        /// A menu of values, each labelled.
        case menu([(value: String, label: String)])
        /// A choice of any number of values.
        case checks([String])
        /// A box to check, which sends a value.
        case check(String)

        static let area = Kind.area(rows: 4)

        /// A choice of one value.
        static func choice(_ values: [String]) -> Kind { .menu(values.map { ($0, $0) }) }
    }

    let name: String
    let label: String
    var kind = Kind.text
    /// The value shown; of a box its state, where any text means checked.
    var value = ""
    var hint = ""
    /// An example or the default, shown while the field is empty.
    var placeholder: String?
    var isRequired = false
    /// The most characters; nil for no limit of the page's.
    var limit: Int?
    /// The label for screen readers, of a control whose label is not shown or says too little.
    var spoken: String?
    /// Whether the text stands in a fixed-width font; nil decides by kind.
    var isMono: Bool?
    /// Further classes of the control.
    var classes = ""
    /// The ids of elements that describe the control.
    var described: String?
    /// Whether the value was refused.
    var isWrong = false

    init(
        _ name: String, _ label: String, _ kind: Kind = .text, value: String = "", hint: String = "",
        isRequired: Bool = false
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.value = value
        self.hint = hint
        self.isRequired = isRequired
    }

    /// The same field with some properties changed.
    func with(_ change: (inout FormField) -> Void) -> FormField {
        var field = self
        change(&field)
        return field
    }
}

extension FormField {
    /// A field for a property of an operation's input.
    ///
    /// - Parameters:
    ///   - label: nil for the words of the property's name.
    ///   - kind: nil for the control of the property's type: a menu of its choices, a number or a line.
    init<Input: OperationInput, Value>(
        _ property: KeyPath<Input, Value>, _ label: String? = nil, _ kind: Kind? = nil, value: String = "",
        hint: String = ""
    ) {
        let parameter = Input.fields.parameter(property)
        let name = parameter?.name ?? ""
        let kind = kind ?? parameter?.control ?? .text
        var isMenu = false
        if case .menu = kind { isMenu = true }
        self.init(
            name, label ?? Self.words(name), kind, value: value, hint: hint,
            isRequired: !isMenu && parameter?.isRequired == true)
        limit = parameter?.shownLimit
    }

    /// A menu of a property's choices, with labels of the page's.
    ///
    /// - Parameter labels: labels in the order of the menu; the other choices follow under their own values.
    init<Input: OperationInput, Value>(
        _ property: KeyPath<Input, Value>, _ label: String, labels: KeyValuePairs<String, String>, value: String = ""
    ) {
        let choices = Input.fields.parameter(property)?.choices ?? []
        let labelled = labels.map { (value: $0, label: $1) }.filter { choices.contains($0.value) }
        let others = choices.filter { choice in !labelled.contains { $0.value == choice } }
        self.init(property, label, .menu(labelled + others.map { ($0, $0) }), value: value)
    }

    /// "Given name" for `givenName`.
    private static func words(_ name: String) -> String {
        name.reduce(into: "") { words, letter in
            if words.isEmpty {
                words += letter.uppercased()
            } else {
                words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
            }
        }
    }
}

extension Parameter {
    /// The control for the type.
    fileprivate var control: FormField.Kind? {
        switch kind {
        case .choice(let choices): .choice(choices)
        case .list(.choice(let choices), _): .checks(choices)
        case .number: .number
        case .list, .object, .objects: .area
        case .text, .flag: nil
        }
    }

    /// A text's limit, if it is the property's own; longer texts than the usual limit are refused by the operation.
    fileprivate var shownLimit: Int? {
        guard case .text(let most) = kind, (1..<Arguments.longestText).contains(most) else { return nil }
        return most
    }
}
