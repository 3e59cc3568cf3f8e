package import CloudModel
import Foundation

/// Holds values to the JSON Schema keywords that `openapi.yaml` uses, and refuses a schema with any other.
package struct JSONSchema {
    /// The document that `$ref` points into.
    package let document: JSONValue

    package init(document: JSONValue) {
        self.document = document
    }

    private static let annotations: Set<String> = ["description", "example", "default", "title"]

    /// The faults of a value; empty when it fits.
    package func faults(of value: JSONValue, as schema: JSONValue, at path: String = "$") -> [String] {
        guard let keywords = schema.object else { return ["\(path): the schema is \(schema.kind)"] }
        return keywords.members.flatMap { faults(of: value, keyword: $0.key, $0.value, in: schema, at: path) }
    }

    private func faults(
        of value: JSONValue, keyword: String, _ operand: JSONValue, in schema: JSONValue, at path: String
    ) -> [String] {
        switch keyword {
        case "$ref":
            guard let target = resolve(operand.string ?? "") else { return ["\(path): \(operand) leads nowhere"] }
            return faults(of: value, as: target, at: path)
        case "type":
            let types = operand.array?.compactMap(\.string) ?? [operand.string ?? ""]
            return types.contains { Self.fits(value, $0) } ? [] : ["\(path) is \(value.kind), not \(types)"]
        case "enum": return operand.array?.contains(value) == true ? [] : ["\(path) is not one of \(operand)"]
        case "const": return operand == value ? [] : ["\(path) is not \(operand)"]
        case "anyOf", "oneOf":
            let choices = (operand.array ?? []).map { faults(of: value, as: $0, at: path) }
            let fitting = choices.count { $0.isEmpty }
            if fitting == 1 || keyword == "anyOf" && fitting > 1 { return [] }
            return ["\(path) fits \(fitting) of \(choices.count)"] + (choices.min { $0.count < $1.count } ?? [])
        case "allOf": return (operand.array ?? []).flatMap { faults(of: value, as: $0, at: path) }
        case "required":
            guard let object = value.object else { return [] }
            return (operand.array ?? []).compactMap(\.string).filter { !object.contains($0) }.map {
                "\(path).\($0) is missing"
            }
        case "properties":
            // Of a member that is there twice the last counts, as in the server.
            let members = Dictionary((value.object?.members ?? []).map { ($0.key, $0.value) }) { $1 }
            return members.flatMap { key, value in
                operand.object?[key].map { faults(of: value, as: $0, at: "\(path).\(key)") } ?? []
            }
        case "additionalProperties": return additional(value, operand, in: schema, at: path)
        case "items":
            return (value.array ?? []).enumerated().flatMap { faults(of: $1, as: operand, at: "\(path)[\($0)]") }
        case "minLength":
            return (value.string?.unicodeScalars.count ?? .max) < Int(operand.integer ?? 0)
                ? ["\(path) is too short"] : []
        case "maxLength":
            return (value.string?.unicodeScalars.count ?? 0) > Int(operand.integer ?? 0) ? ["\(path) is too long"] : []
        case "minItems": return (value.array?.count ?? .max) < Int(operand.integer ?? 0) ? ["\(path) is too short"] : []
        case "maxItems": return (value.array?.count ?? 0) > Int(operand.integer ?? 0) ? ["\(path) is too long"] : []
        case "minimum":
            return Self.number(value).map { $0 < Self.number(operand) ?? 0 } == true ? ["\(path) is too small"] : []
        case "maximum":
            return Self.number(value).map { $0 > Self.number(operand) ?? 0 } == true ? ["\(path) is too large"] : []
        case "pattern": return matches(value, operand.string ?? "") ? [] : ["\(path) does not match \(operand)"]
        default: return Self.annotations.contains(keyword) ? [] : ["\(path): the keyword \(keyword) is unknown"]
        }
    }

    private func additional(_ value: JSONValue, _ operand: JSONValue, in schema: JSONValue, at path: String) -> [String]
    {
        let known = schema[path: "properties"]?.keys ?? []
        let others = (value.object?.members ?? []).filter { !known.contains($0.key) }
        switch operand {
        case .bool(true): return []
        case .bool(false): return others.map { "\(path).\($0.key) should not be there" }
        default: return others.flatMap { faults(of: $0.value, as: operand, at: "\(path).\($0.key)") }
        }
    }

    /// The schema or other thing that `#/a/b` names.
    package func resolve(_ reference: String) -> JSONValue? {
        guard reference.hasPrefix("#/") else { return nil }
        return document[path: String(reference.dropFirst(2)).replacing("/", with: ".")]
    }

    private func matches(_ value: JSONValue, _ pattern: String) -> Bool {
        guard let text = value.string else { return true }
        return text.range(of: pattern, options: .regularExpression) != nil
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        default: false
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        switch value {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }
}
