import CloudHTTP
import CloudPages
import CloudModel

/// The conditions and sort order of the Data view's form, as carried in addresses.
struct QueryForm: Hashable, Sendable {
    let terms: [QueryTerm]
    /// The field to sort by; nil for creation order.
    let sort: String?
    let isDescending: Bool

    init(terms: [QueryTerm] = [], sort: String? = nil, isDescending: Bool = false) {
        self.terms = terms
        self.sort = sort
        self.isDescending = isDescending
    }

    /// - Parameter fields: `field`, `is` and `value` once for each condition. Conditions without a field are dropped.
    init(_ fields: FormFields) {
        let (comparators, values) = (fields.all("is"), fields.all("value"))
        let terms = fields.all("field").enumerated().compactMap { index, field in
            field.isEmpty
                ? nil
                : QueryTerm(
                    field: field, comparator: comparators.dropFirst(index).first ?? Comparator.equals.rawValue,
                    value: values.dropFirst(index).first ?? "")
        }
        self.init(terms: terms, sort: fields.filled("sort"), isDescending: fields["order"] == "descending")
    }

    var isEmpty: Bool { terms.isEmpty && sort == nil }

    var order: String { isDescending ? "descending" : "ascending" }

    /// The form as query items of an address.
    var parameters: [(String, String?)] {
        terms.flatMap { [("field", $0.field), ("is", $0.comparator), ("value", $0.value)] }
            + [("sort", sort), ("order", sort == nil ? nil : order)]
    }

    /// The form as hidden fields.
    var hidden: [FilledField] { parameters.map { FilledField(name: $0.0, value: $0.1 ?? "") } }

    func sorted(by field: String, isDescending: Bool) -> QueryForm {
        QueryForm(terms: terms, sort: field, isDescending: isDescending)
    }

    /// The query dictionary in the wire format.
    ///
    /// - Parameter definition: the type's definition; nil for a type without schema.
    /// - Throws: `BAD_REQUEST` that names the field with a malformed value.
    func json(type: String, _ definition: TypeDefinition?) throws(ServerError) -> JSONValue {
        var members = [JSONObject.Member(key: "recordType", value: .string(type))]
        var filters: [JSONValue] = []
        for term in terms { filters.append(try term.filter(Self.type(of: term.field, definition))) }
        if !filters.isEmpty { members.append(.init(key: "filterBy", value: .array(filters))) }
        if let sort {
            var descriptor = [
                JSONObject.Member(key: "fieldName", value: .string(sort)),
                .init(key: "ascending", value: .bool(!isDescending)),
            ]
            // Sorts by distance from the location of the `near` filter.
            if Self.type(of: sort, definition)?.kind == .location,
                let near = terms.first(where: { $0.field == sort && $0.comparator == Comparator.near.rawValue })
            {
                descriptor.append(.init(key: "relativeLocation", value: try near.place().value))
            }
            members.append(.init(key: "sortBy", value: .array([.object(JSONObject(descriptor))])))
        }
        return .object(JSONObject(members))
    }

    private static func type(of field: String, _ definition: TypeDefinition?) -> FieldType? {
        SystemField(schemaName: field)?.type ?? definition?.fields[field]?.type
    }
}
