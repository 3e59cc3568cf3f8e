package import CloudModel
import Foundation

/// The JSON of operations' answers, the same over HTTP and from commands.
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

/// A page of a list, and where the next begins.
package struct Page<Item: Codable & Sendable>: Codable, Sendable {
    package let items: [Item]
    /// The argument `after` of the next page; nil when this is the last.
    package let next: String?

    init(items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    /// - Parameters:
    ///   - found: up to one more than `limit`, which tells that there is a next page.
    ///   - key: what the next page begins after.
    init(_ found: [Item], limit: Int, key: (Item) -> String) {
        items = Array(found.prefix(limit))
        next = found.count > limit ? items.last.map(key) : nil
    }
}

extension Arguments {
    /// Items of a page where nothing else is said, and the most there may be.
    package static let (usualPage, largestPage) = (100, Int64(1000))

    func limit() throws(ServerError) -> Int {
        Int(try number("limit", in: 1...Self.largestPage) ?? Int64(Self.usualPage))
    }

    /// A page of a list that is in memory.
    func page<Item>(of all: [Item], key: (Item) -> String) throws(ServerError) -> Page<Item> {
        let (limit, after) = (try limit(), try optionalText("after"))
        var rest = all[...]
        if let after { rest = all.firstIndex { key($0) == after }.map { all[($0 + 1)...] } ?? [] }
        return Page(Array(rest.prefix(limit + 1)), limit: limit, key: key)
    }
}

extension Timestamp: Codable {
    /// In the form of ISO 8601, to the second.
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
