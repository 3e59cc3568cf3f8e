package import CloudModel
import Synchronization

/// Holds values to the JSON Schema keywords that `openapi.yaml` uses, and refuses a schema with any other.
///
/// What `$ref` names is read once.
package final class JSONSchema: Sendable {
    private struct Read {
        var values: [String: JSONValue] = [:]
        var rules: [String: SchemaRules] = [:]
    }

    /// The document that `$ref` points into.
    package let document: JSONValue
    private let read = Mutex(Read())

    package init(document: JSONValue) {
        self.document = document
    }

    /// The faults of a value; empty when it fits.
    package func faults(of value: JSONValue, as schema: JSONValue, at path: String = "$") -> [String] {
        var check = SchemaCheck(self, at: path)
        check.hold(value, to: SchemaRules(schema))
        return check.faults
    }

    /// The faults of a value, held to the schema that a reference names.
    func faults(of value: JSONValue, reference: String, at path: String = "$") -> [String] {
        var check = SchemaCheck(self, at: path)
        check.hold(value, toReference: reference)
        return check.faults
    }

    /// The schema or other thing that `#/a/b` names.
    package func resolve(_ reference: String) -> JSONValue? {
        if let known = read.withLock({ $0.values[reference] }) { return known }
        guard reference.hasPrefix("#/") else { return nil }
        var found: JSONValue? = document
        for name in reference.dropFirst(2).split(separator: "/") { found = found?.object?[String(name)] }
        if let found { read.withLock { $0.values[reference] = found } }
        return found
    }

    func rules(_ reference: String) -> SchemaRules? {
        if let known = read.withLock({ $0.rules[reference] }) { return known }
        guard let rules = resolve(reference).map(SchemaRules.init) else { return nil }
        read.withLock { $0.rules[reference] = rules }
        return rules
    }
}
