import Foundation

/// A JSON value that keeps all 64 bits of whole numbers, which a `Double` would lose.
enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    subscript(key: String) -> JSON? {
        guard case .object(let members) = self, let value = members[key], value != .null else { return nil }
        return value
    }

    var string: String? { if case .string(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var array: [JSON]? { if case .array(let items) = self { items } else { nil } }
    var object: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    /// The whole number; also parses text such as `"5"` and doubles without a fraction.
    var int64: Int64? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value)
        case .string(let text): Int64(text)
        default: nil
        }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .string(let text): Double(text)
        default: nil
        }
    }

    /// An object without its nil members.
    static func members(_ members: [String: JSON?]) -> JSON { .object(members.compactMapValues { $0 }) }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

/// Encoded as JSON text, so that a coder's own number handling loses no precision.
extension JSON: Codable {
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try JSON(parsing: Data(text.utf8))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: data, as: UTF8.self))
    }
}
