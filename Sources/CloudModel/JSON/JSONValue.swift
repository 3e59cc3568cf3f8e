/// A parsed JSON value, with the distinctions that the wire protocol makes.
///
/// Integers that fit `Int64` are `integer`; every other number is `number`.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

extension JSONValue {
    package var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    package var string: String? { if case .string(let string) = self { string } else { nil } }
    package var array: [JSONValue]? { if case .array(let array) = self { array } else { nil } }
    package var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    package var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

    /// The kind of this JSON value, for error messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Int64 {
    /// The exact integer value of a parsed double.
    ///
    /// - Returns: nil for -2^63 too: the parser gives this double also for -9223372036854775809 and other numbers outside
    ///   `Int64`. A document that spells -2^63 as an integer yields no double.
    package init?(unrounded number: Double) {
        guard number != -0x1p63 else { return nil }
        self.init(exactly: number)
    }
}

extension JSONValue {
    /// An object; members without a value are left out.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(
            JSONObject(
                members.compactMap { key, value in value.map { JSONObject.Member(key: key, value: $0) } }))
    }
}
