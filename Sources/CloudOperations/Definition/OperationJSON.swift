package import CloudModel
import Foundation

/// The JSON encoding of operations' answers, shared by HTTP and commands.
package enum OperationJSON {
    package static func encode(_ answer: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(answer))
    }

    package static func decode<Answer: Decodable>(_ type: Answer.Type, _ bytes: [UInt8]) throws -> Answer {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}

/// A page of a list and the cursor of the next page.
package struct Page<Item: Codable & Sendable>: Codable, OperationAnswer {
    package let items: [Item]
    /// The argument `after` for the next page; nil on the last page.
    package let next: String?

    init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    /// - Parameters:
    ///   - found: up to `limit` + 1 items; the extra item shows that another page exists.
    ///   - key: the cursor after an item.
    init(_ found: [Item], limit: Int, key: (Item) -> String) {
        items = Array(found.prefix(limit))
        next = found.count > limit ? items.last.map(key) : nil
    }
}

extension PageChoice {
    /// A page of an in-memory list, ordered by a unique key. The next page continues after the last key sent, regardless of
    /// items added or removed since.
    func page<Item, Key: Comparable & LosslessStringConvertible>(
        of all: [Item], by key: (Item) -> Key
    ) throws(ServerError) -> Page<Item> {
        let limit = Int(limit)
        var rest = all.map { (item: $0, key: key($0)) }
        if let text = after {
            guard let after = Key(text) else {
                throw .badRequest("after must be the 'next' of the page before, not '\(Naming.shown(text))'")
            }
            rest.removeAll { $0.key <= after }
        }
        rest.sort { $0.key < $1.key }
        return Page(
            items: rest.prefix(limit).map(\.item), next: rest.count > limit ? rest[limit - 1].key.description : nil)
    }

    /// A page that a store has searched for.
    ///
    /// - Parameters:
    ///   - found: up to `limit` + 1 items; the extra item shows that another page exists.
    ///   - key: the cursor after an item.
    func page<Item>(_ found: [Item], key: (Item) -> String) -> Page<Item> { Page(found, limit: Int(limit), key: key) }
}

/// A sort key for lists: texts, and numbers padded to a fixed length.
struct ListPlace: Comparable, LosslessStringConvertible {
    private let parts: [String]

    init(_ parts: String...) { self.parts = parts }

    /// - Parameter description: the parts, percent-encoded, with slashes between them.
    init?(_ description: String) {
        let texts = description.split(separator: "/", omittingEmptySubsequences: false)
        parts = texts.compactMap { String($0).removingPercentEncoding }
        guard parts.count == texts.count else { return nil }
    }

    var description: String {
        parts.map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }.joined(separator: "/")
    }

    static func number(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 19 - digits.count)) + digits
    }

    static func < (left: ListPlace, right: ListPlace) -> Bool {
        left.parts.lexicographicallyPrecedes(right.parts)
    }
}

extension Timestamp: Codable {
    /// ISO 8601 with seconds.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(.iso8601))
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self.init(try Date(try container.decode(String.self), strategy: .iso8601))
    }
}

extension JSONValue: Codable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: Key.self)
            for member in object.members { try container.encode(member.value, forKey: Key(stringValue: member.key)) }
        case .array(let array):
            var container = encoder.unkeyedContainer()
            for element in array { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .null, .array, .object: try container.encodeNil()
            }
        }
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            self = .object(
                JSONObject(
                    try container.allKeys.map {
                        JSONObject.Member(key: $0.stringValue, value: try container.decode(JSONValue.self, forKey: $0))
                    }))
        } else if var container = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !container.isAtEnd { array.append(try container.decode(JSONValue.self)) }
            self = .array(array)
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }
}
