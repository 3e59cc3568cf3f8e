import CloudModel
import Foundation

/// Goes through a value beside its schema, and collects what differs.
struct SchemaCheck {
    private enum Step {
        case name(String)
        case index(Int)
    }

    private let schema: JSONSchema
    private let start: String
    private var steps: [Step] = []
    /// Faults are not written down, only noticed: most schemas of a choice do not fit.
    private var isQuiet = false
    private var isFaulty = false
    private(set) var faults: [String] = []

    init(_ schema: JSONSchema, at start: String) {
        self.schema = schema
        self.start = start
    }

    mutating func hold(_ value: JSONValue, toReference reference: String) {
        guard let rules = schema.rules(reference) else { return add(": \(reference) leads nowhere") }
        hold(value, to: rules)
    }

    mutating func hold(_ value: JSONValue, to rules: SchemaRules) {
        for fault in rules.faults { add(": \(fault)") }
        if let reference = rules.reference { hold(value, toReference: reference) }
        if let types = rules.types, !types.contains(where: { Self.fits(value, $0) }) {
            add(" is \(value.kind), not \(types)")
        }
        if let choices = rules.choices, !choices.contains(value) { add(" is not one of \(choices)") }
        if let constant = rules.constant, constant != value { add(" is not \(constant)") }
        for part in rules.allOf { hold(value, to: part) }
        if let choices = rules.anyOf { choose(value, choices, isAny: true) }
        if let choices = rules.oneOf { choose(value, choices, isAny: false) }
        switch value {
        case .object(let object): holdMembers(of: object, to: rules)
        case .array(let array): holdElements(of: array, to: rules)
        case .string(let text): holdText(text, to: rules)
        case .integer, .number:
            let number = value.asNumber ?? 0
            if rules.range.isUnder(number) { add(" is too small") }
            if rules.range.isOver(number) { add(" is too large") }
        case .null, .bool: break
        }
    }

    private mutating func holdMembers(of object: JSONObject, to rules: SchemaRules) {
        for name in rules.required where !object.contains(name) { add(".\(name) is missing") }
        for member in object.members {
            if let known = rules.properties[member.key] {
                go(.name(member.key), member.value, known)
                continue
            }
            switch rules.additional {
            case .any: break
            case .none: add(".\(member.key) should not be there")
            case .each(let other): go(.name(member.key), member.value, other)
            }
        }
    }

    private mutating func holdElements(of array: [JSONValue], to rules: SchemaRules) {
        if rules.count.isUnder(array.count) { add(" is too short") }
        if rules.count.isOver(array.count) { add(" is too long") }
        guard let items = rules.items else { return }
        for index in array.indices { go(.index(index), array[index], items) }
    }

    private mutating func holdText(_ text: String, to rules: SchemaRules) {
        if rules.length.least != nil || rules.length.most != nil {
            let count = text.unicodeScalars.count
            if rules.length.isUnder(count) { add(" is too short") }
            if rules.length.isOver(count) { add(" is too long") }
        }
        guard let pattern = rules.pattern else { return }
        let whole = NSRange(location: 0, length: text.utf16.count)
        if pattern.firstMatch(in: text, range: whole) == nil { add(" does not match \(pattern.pattern)") }
    }

    private mutating func go(_ step: Step, _ value: JSONValue, _ rules: SchemaRules) {
        steps.append(step)
        hold(value, to: rules)
        steps.removeLast()
    }

    /// One of the schemas fits, or with `isAny` at least one; else the faults of the nearest are told.
    private mutating func choose(_ value: JSONValue, _ choices: [SchemaRules], isAny: Bool) {
        var fitting = 0
        for choice in choices where isFitting(value, choice) {
            fitting += 1
            if isAny { return }
        }
        if fitting == 1 { return }
        add(" fits \(fitting) of \(choices.count)")
        if isQuiet { return }
        var nearest: [String]?
        for choice in choices {
            var check = SchemaCheck(schema, at: start)
            check.steps = steps
            check.hold(value, to: choice)
            if check.faults.count < nearest?.count ?? .max { nearest = check.faults }
        }
        faults += nearest ?? []
    }

    private func isFitting(_ value: JSONValue, _ rules: SchemaRules) -> Bool {
        var check = SchemaCheck(schema, at: start)
        check.isQuiet = true
        check.hold(value, to: rules)
        return !check.isFaulty
    }

    private mutating func add(_ fault: @autoclosure () -> String) {
        isFaulty = true
        if isQuiet { return }
        var path = start
        for step in steps {
            switch step {
            case .name(let name): path += ".\(name)"
            case .index(let index): path += "[\(index)]"
            }
        }
        faults.append(path + fault())
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch value {
        case .object: type == "object"
        case .array: type == "array"
        case .string: type == "string"
        case .bool: type == "boolean"
        case .null: type == "null"
        case .integer: type == "integer" || type == "number"
        case .number: type == "number"
        }
    }
}
