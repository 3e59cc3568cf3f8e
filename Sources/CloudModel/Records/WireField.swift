/// A request's field before resolution against the schema: `{value, type?, isEncrypted?}` (reference A §3.1).
package struct WireField: Hashable, Sendable {
    package let name: String
    /// Nil clears the field (reference A §3.4).
    package let value: JSONValue?
    package let tag: TypeTag?
    package let isEncrypted: Bool

    /// Parses a member of `fields`. `{}`, `{"value":null}`, a tag alone and a bare `null` all clear the field.
    package init(_ member: JSONObject.Member) throws(ServerError) {
        name = member.key
        if let fault = Naming.fault(fieldName: member.key) { throw .badRequest(fault) }
        guard case .object(let wrapper) = member.value else {
            guard member.value == .null else {
                throw .badRequest(
                    "field '\(known: member.key)' must be an object with a value, not \(known: member.value.kind)")
            }
            (value, tag, isEncrypted) = (nil, nil, false)
            return
        }
        isEncrypted = wrapper["isEncrypted"]?.bool ?? false
        if let type = wrapper["type"] {
            guard let text = type.string, let known = TypeTag(text) else {
                let shown = type.string.map(Naming.shown) ?? type.kind
                throw .badRequest("field '\(known: member.key)' has an unknown type '\(shown)'")
            }
            tag = known
        } else {
            tag = nil
        }
        value = wrapper["value"]
    }

    /// True for an empty list of undeclared element type; the schema may declare the type (reference A §3.2).
    package var isUntypedList: Bool { value == .array([]) && (tag == nil || tag == .someList) }

    private init(name: String, value: JSONValue?, tag: TypeTag?, isEncrypted: Bool) {
        (self.name, self.value, self.tag, self.isEncrypted) = (name, value, tag, isEncrypted)
    }

    /// The field without its type tag, for the schema to decide.
    package var untagged: WireField { WireField(name: name, value: value, tag: nil, isEncrypted: isEncrypted) }
}
