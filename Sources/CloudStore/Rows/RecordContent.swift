package import CloudModel

/// The fields of one record in the store's forms: the JSON for responses, the keys for indexes, and the references that
/// deletions check.
package struct RecordContent: Sendable {
    package let json: [UInt8]
    /// Indexed values by field id; for a list, its count.
    let keys: [Int64: IndexKey]
    // May have duplicates; the writer drops them, since SQLite and Swift differ in equality.
    let elements: [Element]
    let references: [Reference]
    let assets: Set<AssetKey>
    /// The words of searchable fields.
    let words: [(field: Int64, words: [String])]
    let locations: [(field: Int64, coordinate: Coordinate)]

    struct Element: Hashable, Sendable {
        let field: Int64
        let value: IndexKey
    }

    struct Reference: Hashable, Sendable {
        let target: String
        let kind: ReferenceKind
    }

    package typealias Field = (definition: FieldDefinition, value: FieldValue)

    /// - Parameter fields: the fields of a request; fields without a value are left out.
    init(named fields: [(definition: FieldDefinition, value: FieldValue?)], untyped: [String], zone: ZoneID) {
        var present: [Field] = []
        present.reserveCapacity(fields.count)
        for case (let definition, let value?) in fields { present.append((definition, value)) }
        self.init(present, untyped: untyped, zone: zone)
    }

    /// - Parameter untyped: names of empty lists that the schema lacks and no index covers.
    package init(_ fields: [Field], untyped: [String] = [], zone: ZoneID) {
        var writer = JSONWriter(capacity: 512)
        var keys: [Int64: IndexKey] = [:]
        keys.reserveCapacity(fields.count)
        var elements: [Element] = []
        var references: [Reference] = []
        var assets: Set<AssetKey> = []
        var words: [(field: Int64, words: [String])] = []
        var locations: [(field: Int64, coordinate: Coordinate)] = []
        writer.object {
            for (definition, value) in fields {
                FieldEncoding.write(definition.name, value, type: definition.type, zone: zone, to: &$0)
                Self.collectReferences(value, &references)
                if definition.type.kind == .asset { assets.formUnion(value.assets.map(\.key)) }
                if definition.words != nil { words.append((definition.id, Self.words(value))) }
                if let coordinate = Self.coordinate(value, definition.type) {
                    locations.append((definition.id, coordinate))
                }
                guard definition.type.isQueryable else { continue }
                switch value {
                case .one(let scalar): keys[definition.id] = scalar.key
                case .list(let scalars):
                    keys[definition.id] = .integer(Int64(scalars.count))
                    for key in scalars.compactMap(\.key) { elements.append(Element(field: definition.id, value: key)) }
                }
            }
            for name in untyped { FieldEncoding.writeUntypedList(name, to: &$0) }
        }
        json = writer.bytes
        self.keys = keys
        self.elements = elements
        self.references = references
        self.assets = assets
        self.words = words
        self.locations = locations
    }

    private static func words(_ value: FieldValue) -> [String] {
        switch value {
        case .one(.string(let text)): Words.of(text)
        case .one: []
        case .list(let scalars):
            Words.of(scalars.lazy.compactMap { if case .string(let text) = $0 { text } else { nil } })
        }
    }

    private static func coordinate(_ value: FieldValue, _ type: FieldType) -> Coordinate? {
        guard case .one(.location(let location)) = value, !type.isEncrypted else { return nil }
        return location.coordinate
    }

    private static func collectReferences(_ value: FieldValue, _ references: inout [Reference]) {
        switch value {
        case .one(.reference(let reference)): collectReference(reference, &references)
        case .one: break
        case .list(let scalars):
            for case .reference(let reference) in scalars { collectReference(reference, &references) }
        }
    }

    private static func collectReference(_ reference: RecordReference, _ references: inout [Reference]) {
        switch reference.action {
        case .none: break
        case .deleteSelf: references.append(Reference(target: reference.recordName, kind: .deleteSelf))
        case .validate: references.append(Reference(target: reference.recordName, kind: .validate))
        }
    }
}

/// The ways in which a reference affects the deletion of its target (reference A §13.2).
enum ReferenceKind: Int64, Sendable {
    case deleteSelf = 1
    case validate = 2
    case parent = 3
}
