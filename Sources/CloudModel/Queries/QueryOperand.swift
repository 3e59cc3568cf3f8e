extension Query {
    /// A field value for comparisons in a filter, or the origin of a sort (reference A §3.1).
    package struct Operand: Hashable, Sendable {
        package let value: JSONValue
        /// The value's declared type; nil if the request declares none.
        package let tag: TypeTag?

        init(value: JSONValue, tag: TypeTag?) { (self.value, self.tag) = (value, tag) }

        /// Also accepts a bare value, which some clients send instead of the dictionary.
        init(_ json: JSONValue, path: String) throws(ServerError) {
            guard let object = json.object, object.contains("value") || object.contains("type") else {
                (value, tag) = (json, nil)
                return
            }
            guard let value = object["value"] else { throw .badRequest("\(known: path).value is missing") }
            self.value = value
            guard let type = object["type"] else {
                tag = nil
                return
            }
            guard let known = type.string.flatMap(TypeTag.init) else {
                let shown = type.string.map(Naming.shown) ?? type.kind
                throw .badRequest("\(known: path).type '\(shown)' is unknown")
            }
            tag = known
        }
    }
}

extension Query.Operand {
    /// Checks the operand's type tag against the subject's type (reference A §3.3, §5.3).
    ///
    /// A list's tag may name the list type or the element type; the same goes for elements sought in a list.
    func check(_ subject: ResolvedQuery.Subject, _ comparator: Comparator? = nil) throws(ServerError) {
        guard let tag else { return }
        let mayBeList = subject.type.isList || comparator.map { $0.takesMany || $0.isTextSearch } == true
        switch tag {
        case .someList where mayBeList: return
        case .type(let type) where !type.isEncrypted && (mayBeList || !type.isList) && subject.takes(type.kind): return
        default:
            throw .badRequest(
                "Invalid value, expected type \(known: FieldType(subject.type.kind).name). Field '\(known: subject.name)': "
                    + "the operand is sent as \(known: tag.name)")
        }
    }
}

extension ResolvedQuery.Subject {
    /// Returns true if the subject compares with operands of this kind. References also compare with bare record names
    /// (reference A §5.4).
    fileprivate func takes(_ kind: FieldKind) -> Bool {
        let numbers: Set<FieldKind> = [.number, .int64, .double]
        switch type.kind {
        case kind: return true
        case .number: return numbers.contains(kind)
        case .int64, .double: return kind == .number || isPreferredNumber && numbers.contains(kind)
        case .reference: return kind == .string
        default: return false
        }
    }

    private var isPreferredNumber: Bool {
        if case .field(let field) = self { field.isPreferredNumber } else { false }
    }
}

extension TypeTag {
    fileprivate var name: String {
        switch self {
        case .type(let type): type.name
        case .someList: "LIST"
        }
    }
}
