import Foundation

/// A JSON value: what is shown of requests and answers, and what is said to endpoints that CumulusKit has no calls for.
enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The member of an object; nil for any other kind of value.
    subscript(key: String) -> JSON? { object?[key] }

    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
    var object: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    /// Nil for what is no JSON.
    init?(_ data: Data) {
        guard let value = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else { return nil }
        self.init(value)
    }

    private init(_ value: Any) {
        self =
            switch value {
            case let string as String: .string(string)
            case let members as [String: Any]: .object(members.mapValues(JSON.init))
            case let elements as [Any]: .array(elements.map(JSON.init))
            case let number as NSNumber: Self.isBool(number) ? .bool(number.boolValue) : .number(number.doubleValue)
            default: .null
            }
    }

    /// Foundation hands out true and false as numbers one byte wide, which it makes of nothing else.
    private static func isBool(_ number: NSNumber) -> Bool { number.objCType.pointee == CChar(UInt8(ascii: "c")) }

    /// The document as one line, with the members of objects by name.
    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension JSON: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let bool): try container.encode(bool)
        case .number(let number): try container.encode(number)
        case .string(let string): try container.encode(string)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
