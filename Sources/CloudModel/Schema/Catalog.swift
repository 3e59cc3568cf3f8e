/// A field as the schema declares it.
package struct FieldDefinition: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package let type: FieldType
    /// The marks of reference A §11.3: equality, range and sort, text index.
    package let indexes: Set<IndexMark>

    package init(id: Int64, name: String, type: FieldType, indexes: Set<IndexMark>) {
        self.id = id
        self.name = name
        self.type = type
        self.indexes = indexes
    }
}

package enum IndexMark: String, CaseIterable, Hashable, Sendable {
    case queryable = "QUERYABLE"
    case searchable = "SEARCHABLE"
    case sortable = "SORTABLE"

    /// What a field made just in time gets, so that any query works on it (reference A §11.1).
    package static func justInTime(for type: FieldType) -> Set<IndexMark> {
        guard type.isQueryable else { return [] }
        if type.isList { return [.queryable] }
        return switch type.kind {
        case .string: [.queryable, .searchable, .sortable]
        case .reference: [.queryable]
        default: [.queryable, .sortable]
        }
    }
}

/// A record type: its fields, its indexed system fields and who may do what in the public database.
package struct RecordType: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package var fields: [String: FieldDefinition]
    package var systemIndexes: [SystemField: Set<IndexMark>]
    package var grants: Grants

    package init(
        id: Int64, name: String, fields: [String: FieldDefinition] = [:],
        systemIndexes: [SystemField: Set<IndexMark>] = [:], grants: Grants = .standard
    ) {
        self.id = id
        self.name = name
        self.fields = fields
        self.systemIndexes = systemIndexes
        self.grants = grants
    }

    /// The built-in type every container has: a user's own record (reference A §11.3, B §5.0).
    package static let users = "Users"
}

/// The schema of one environment of a container, at one version.
package struct Catalog: Hashable, Sendable {
    /// Grows with every change, so that work prepared against an older one can tell.
    package private(set) var version: Int64
    package private(set) var types: [String: RecordType]
    private var names: [Int64: String]

    package init(version: Int64, types: [RecordType] = []) {
        self.version = version
        self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })
        names = Dictionary(uniqueKeysWithValues: types.map { ($0.id, $0.name) })
    }

    /// The type a stored record is of.
    package func type(id: Int64?) -> RecordType? { id.flatMap { names[$0] }.flatMap { types[$0] } }

    /// The next version, with this type new or changed.
    package func adding(_ type: RecordType) -> Catalog {
        var next = self
        next.version += 1
        next.types[type.name] = type
        next.names[type.id] = type.name
        return next
    }
}
