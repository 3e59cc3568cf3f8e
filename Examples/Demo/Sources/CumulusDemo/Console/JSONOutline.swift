/// A request body for a person to read: one line, long lists of objects cut after the second element.
struct JSONOutline {
    private static let elementsShown = 2

    let text: String

    init(_ value: JSON, limit: Int) {
        let text = Self.shortened(value).text
        self.text = text.count <= limit ? text : "\(text.prefix(limit))…"
    }

    private static func shortened(_ value: JSON) -> JSON {
        switch value {
        case .object(let members): return .object(members.mapValues(shortened))
        case .array(let elements) where elements.count > elementsShown + 1 && elements[0].object != nil:
            let shown = elements.prefix(elementsShown).map(shortened)
            return .array(shown + [.string("… \(elements.count - elementsShown) more")])
        case .array(let elements): return .array(elements.map(shortened))
        default: return value
        }
    }
}
