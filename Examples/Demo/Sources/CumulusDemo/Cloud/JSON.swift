import Foundation

/// A JSON document whose members keep their order, so that a request is printed the way it is written.
///
/// The play is a client like any other: it shares no code with the server it tries.
enum JSON: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let key: String
        let value: JSON
    }

    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// The member of an object; nil for any other kind of value.
    subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var string: String? { if case .string(let string) = self { string } else { nil } }
    var array: [JSON]? { if case .array(let array) = self { array } else { nil } }
    var isObject: Bool { if case .object = self { true } else { false } }

    /// The same with the members of every object by name, for what has lost their order.
    var sorted: JSON {
        switch self {
        case .object(let members):
            .object(members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted { $0.key < $1.key })
        case .array(let elements): .array(elements.map(\.sorted))
        default: self
        }
    }

    /// This object with one member more, in place of one of the same name.
    func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.key != key } + [Member(key: key, value: value)])
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(key: $0.0, value: $0.1) })
    }
}
