extension PropertyValue {
    /// A rejected value's reason, with the path to the fault.
    package struct Fault: Error, Hashable {
        /// Such as `.value[3].value.name`; empty for the value itself.
        package fileprivate(set) var path: String
        package let reason: String
    }

    /// Reads `{"type": …, "value": …}`, recursively in lists and dictionaries.
    package init(_ json: JSONValue) throws(Fault) {
        guard let wrapper = json.object else {
            throw Self.fault("must be an object with type and value, not \(json.kind)")
        }
        guard let kind = wrapper["type"]?.string.flatMap(Kind.init(rawValue:)) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.fault("must have a type, one of \(kinds)")
        }
        guard let value = wrapper["value"] else { throw Self.fault("has no value") }
        self = try Self.read(value, as: kind)
    }

    private static func read(_ json: JSONValue, as kind: Kind) throws(Fault) -> PropertyValue {
        switch (kind, json) {
        case (.string, .string(let text)): return .string(text)
        case (.int64, .integer(let integer)): return .int64(integer)
        case (.int64, .number(let number)):
            if let whole = Int64(unrounded: number) { return .int64(whole) }
        case (.int64, .string(let text)):
            // JavaScript sends large integers as strings.
            if let integer = Int64(text) { return .int64(integer) }
        case (.double, .integer(let integer)): return .double(Double(integer))
        case (.double, .number(let number)): return .double(number)
        case (.double, .string(let text)):
            if let number = NotFinite(rawValue: text) { return .double(number.number) }
        case (.boolean, .bool(let bool)): return .boolean(bool)
        case (.timestamp, .integer(let integer)):
            if integer.magnitude <= mostMilliseconds { return .timestamp(Double(integer)) }
        case (.timestamp, .number(let number)):
            if number.magnitude <= Double(mostMilliseconds) { return .timestamp(number) }
        case (.bytes, .string(let text)):
            if let base64 = Base64.canonical(text) { return .bytes(base64) }
        case (.list, .array(let elements)): return .list(try list(elements))
        case (.dictionary, .object(let object)): return .dictionary(try dictionary(object))
        default: break
        }
        throw Fault(path: ".value", reason: "must be \(demand(kind)) for type \(kind.rawValue), not \(json.kind)")
    }

    /// Beyond this bound a Double cannot distinguish consecutive milliseconds.
    private static let mostMilliseconds: UInt64 = 1 << 53

    private static func list(_ elements: [JSONValue]) throws(Fault) -> [PropertyValue] {
        var values: [PropertyValue] = []
        values.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            do { values.append(try PropertyValue(element)) } catch {
                throw Fault(path: ".value[\(index)]" + error.path, reason: error.reason)
            }
        }
        return values
    }

    private static func dictionary(_ object: JSONObject) throws(Fault) -> [Member] {
        var members: [Member] = []
        for member in object.members {
            do { members.append(Member(key: member.key, value: try PropertyValue(member.value))) } catch {
                throw Fault(path: ".value.\(Naming.shown(member.key))" + error.path, reason: error.reason)
            }
        }
        return members
    }

    private static func fault(_ reason: String) -> Fault { Fault(path: "", reason: reason) }

    private static func demand(_ kind: Kind) -> String {
        switch kind {
        case .string: "a string"
        case .int64: "a whole number of 64 bits"
        case .double: "a number, or NaN, Infinity or -Infinity as a string,"
        case .boolean: "true or false"
        case .timestamp: "milliseconds since 1970, at most 2^53 either way,"
        case .bytes: "base64"
        case .list: "an array"
        case .dictionary: "an object"
        }
    }
}
