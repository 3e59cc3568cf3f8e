import CloudModel
import Foundation

/// The keywords of one schema, read from its JSON.
final class SchemaRules: Sendable {
    enum Additional: Sendable {
        case any, none
        case each(SchemaRules)
    }

    /// An inclusive range of sizes or numbers.
    struct Span<Bound: Comparable & Sendable>: Sendable {
        var least: Bound?
        var most: Bound?

        func isUnder(_ value: Bound) -> Bool { least.map { value < $0 } ?? false }
        func isOver(_ value: Bound) -> Bool { most.map { value > $0 } ?? false }
    }

    let reference: String?
    let types: [String]?
    let choices: [JSONValue]?
    let constant: JSONValue?
    let anyOf: [SchemaRules]?
    let oneOf: [SchemaRules]?
    let allOf: [SchemaRules]
    let required: [String]
    let properties: [String: SchemaRules]
    let additional: Additional
    let items: SchemaRules?
    let length: Span<Int>
    let count: Span<Int>
    let range: Span<Double>
    let pattern: NSRegularExpression?
    /// What is wrong with the schema itself.
    let faults: [String]

    private static let known: Set<String> = [
        "$ref", "type", "enum", "const", "anyOf", "oneOf", "allOf", "required", "properties", "additionalProperties",
        "items", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "pattern",
        // These say nothing of a value.
        "description", "example", "default", "title",
    ]

    init(_ schema: JSONValue) {
        let all = schema.object ?? JSONObject()
        let list = { (name: String) in all[name]?.array?.map(SchemaRules.init) }
        reference = all["$ref"].map { $0.string ?? "" }
        types = all["type"].map { $0.array?.compactMap(\.string) ?? [$0.string ?? ""] }
        choices = all["enum"]?.array
        constant = all.contains("const") ? all["const"] ?? .null : nil
        (anyOf, oneOf, allOf) = (list("anyOf"), list("oneOf"), list("allOf") ?? [])
        required = all["required"]?.array?.compactMap(\.string) ?? []
        properties = Dictionary(
            uniqueKeysWithValues: (all["properties"]?.object?.members ?? []).map { ($0.key, SchemaRules($0.value)) })
        additional =
            switch all["additionalProperties"] {
            case nil, .bool(true): .any
            case .bool(false): .none
            case let schema?: .each(SchemaRules(schema))
            }
        items = all["items"].map(SchemaRules.init)
        let size = { (name: String) in all[name]?.integer.map { Int($0) } }
        length = Span(least: size("minLength"), most: size("maxLength"))
        count = Span(least: size("minItems"), most: size("maxItems"))
        range = Span(least: all["minimum"]?.asNumber, most: all["maximum"]?.asNumber)
        pattern = all["pattern"]?.string.flatMap { try? NSRegularExpression(pattern: $0) }
        var faults = all.members.map(\.key).filter { !Self.known.contains($0) }.map { "the keyword \($0) is unknown" }
        if schema.object == nil { faults.append("the schema is \(schema.kind)") }
        if all["pattern"] != nil, pattern == nil { faults.append("the pattern cannot be read") }
        self.faults = faults
    }
}

extension JSONValue {
    var asNumber: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
