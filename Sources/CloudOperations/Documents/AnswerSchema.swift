import CloudModel

/// The JSON Schemas of answers, made from their `Decodable` conformances.
struct AnswerSchema {
    /// Schemas by name below `components/schemas`.
    private(set) var components: [String: DocumentNode] = [:]

    /// The schema of a type. Named types are added to the components, and the schema refers to them.
    mutating func schema(of type: any Decodable.Type) throws -> DocumentNode {
        let probe = AnswerProbe()
        let schema = try probe.schema(of: type)
        components.merge(probe.components) { $1 }
        return schema
    }
}

/// A decoder that records the names and types that a type decodes.
final class AnswerProbe: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    fileprivate struct Property {
        let name: String
        let schema: DocumentNode
        let isRequired: Bool
    }

    fileprivate(set) var components: [String: DocumentNode] = [:]
    /// The properties of a keyed container; nil without one.
    fileprivate var properties: [Property]?
    /// The schema of an unkeyed or single value.
    fileprivate var value = DocumentNode.members(["type": .text("object")])

    func container<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        properties = properties ?? []
        return KeyedDecodingContainer(ProbedProperties<Key>(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { ProbedElements(probe: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { ProbedValue(probe: self) }

    func schema(of type: any Decodable.Type) throws -> DocumentNode {
        func open<T: Decodable>(_ type: T.Type) throws -> DocumentNode { try probed(type).schema }
        return try open(type)
    }

    /// A value of a type, and the type's schema.
    fileprivate func probed<T: Decodable>(_ type: T.Type) throws -> (value: T, schema: DocumentNode) {
        if let known = try Self.known(type) { return known }
        let inner = AnswerProbe()
        let value = try T(from: inner)
        components.merge(inner.components) { $1 }
        let about = (type as? any DocumentedValue.Type)?.about
        let schema = inner.properties.map { Self.object($0, about) } ?? inner.value
        guard let about, let name = about.name else { return (value, schema) }
        components[name] = schema
        return (value, .reference("schemas/\(name)"))
    }

    /// Types that are no structs of further types.
    private static func known<T: Decodable>(_ type: T.Type) throws -> (value: T, schema: DocumentNode)? {
        func found(_ value: any Decodable, _ schema: DocumentNode) -> (value: T, schema: DocumentNode)? {
            (value as? T).map { ($0, schema) }
        }
        func simple(_ name: String) -> DocumentNode { .members(["type": .text(name)]) }
        switch type {
        case is String.Type: return found("", simple("string"))
        case is Bool.Type: return found(false, simple("boolean"))
        case is Int.Type: return found(0, simple("integer"))
        case is Int64.Type: return found(Int64(0), simple("integer"))
        case is Double.Type: return found(0.0, simple("number"))
        case is Timestamp.Type: return found(Timestamp(milliseconds: 0), .reference("schemas/Moment"))
        case is JSONValue.Type: return found(JSONValue.null, simple("object"))
        case let choices as any CaseIterable.Type:
            let all = cases(choices)
            guard let first = all.first as? T else { return nil }
            let texts = all.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
            return (first, .members(["type": .text("string"), "enum": .texts(texts)]))
        default: return nil
        }
    }

    private static func cases<T: CaseIterable>(_ type: T.Type) -> [Any] { Array(type.allCases) }

    private static func object(_ properties: [Property], _ about: AnswerText?) -> DocumentNode {
        let required = properties.filter(\.isRequired).map(\.name)
        let described = properties.map { property in
            let sentence = about?.properties[property.name].map(DocumentNode.text)
            return DocumentNode.Member(key: property.name, value: property.schema.with("description", sentence))
        }
        let sentence = about.flatMap { $0.sentence.isEmpty ? nil : DocumentNode.text($0.sentence) }
        return .members([
            "description": sentence, "type": .text("object"), "additionalProperties": .flag(false),
            "required": required.isEmpty ? nil : .texts(required),
            "properties": described.isEmpty ? nil : .object(described),
        ])
    }
}

/// Records the properties of a struct.
private struct ProbedProperties<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: AnswerProbe
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []
    private let optional = OptionalKeys()

    init(probe: AnswerProbe) { self.probe = probe }

    /// The keys of optional properties: a decoder checks the presence of an optional property first.
    private final class OptionalKeys {
        var names: Set<String> = []
    }

    func contains(_ key: Key) -> Bool {
        optional.names.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        let (value, schema) = try probe.probed(type)
        let isRequired = !optional.names.contains(key.stringValue)
        probe.properties?.append(.init(name: key.stringValue, schema: schema, isRequired: isRequired))
        return value
    }

    func nestedContainer<NestedKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
        AnswerProbe().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { AnswerProbe().unkeyedContainer() }
    func superDecoder() -> any Decoder { AnswerProbe() }
    func superDecoder(forKey key: Key) -> any Decoder { AnswerProbe() }
}

/// Records the type of an array's elements, by decoding an element.
private struct ProbedElements: UnkeyedDecodingContainer {
    let probe: AnswerProbe
    let codingPath: [any CodingKey] = []
    let count: Int? = 1
    private(set) var currentIndex = 0

    init(probe: AnswerProbe) { self.probe = probe }

    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        currentIndex += 1
        let (value, schema) = try probe.probed(type)
        probe.value = .members(["type": .text("array"), "items": schema])
        return value
    }

    mutating func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) -> KeyedDecodingContainer<NestedKey> {
        AnswerProbe().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { AnswerProbe().unkeyedContainer() }
    mutating func superDecoder() -> any Decoder { AnswerProbe() }
}

/// Records the type of a single value.
private struct ProbedValue: SingleValueDecodingContainer {
    let probe: AnswerProbe
    let codingPath: [any CodingKey] = []

    func decodeNil() -> Bool { false }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let (value, schema) = try probe.probed(type)
        probe.value = schema
        return value
    }
}
