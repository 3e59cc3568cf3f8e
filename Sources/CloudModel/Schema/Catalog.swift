/// A field's declaration in the schema.
package struct FieldDefinition: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package let type: FieldType
    /// The marks of reference A §11.3: equality, range and sort, text index.
    package let indexes: Set<IndexKind>
    /// True for a former NUMBER field whose kind has since been fixed (reference A §11.3).
    package let isPreferredNumber: Bool
    /// The generation of the values table since which all records' words are indexed; nil without a word index.
    package var words: Int64?

    package init(
        id: Int64, name: String, type: FieldType, indexes: Set<IndexKind>, isPreferredNumber: Bool = false,
        words: Int64? = nil
    ) {
        self.words = words
        self.id = id
        self.name = name
        self.type = type
        self.indexes = indexes
        self.isPreferredNumber = isPreferredNumber
    }
}

package enum IndexKind: String, CaseIterable, Hashable, Sendable {
    case queryable = "QUERYABLE"
    case searchable = "SEARCHABLE"
    case sortable = "SORTABLE"

    /// Index marks of an automatically created field, which make any query on it work (reference A §11.1).
    package static func justInTime(for type: FieldType) -> Set<IndexKind> {
        // Location queries go by distance.
        if type == FieldType(.location) { return [.queryable, .sortable] }
        guard type.isQueryable else { return [] }
        if type.isList { return [.queryable] }
        return switch type.kind {
        case .string: [.queryable, .searchable, .sortable]
        case .reference: [.queryable]
        default: [.queryable, .sortable]
        }
    }
}

/// A record type: fields, indexed system fields, and each role's permissions in the public database.
package struct RecordType: Hashable, Sendable {
    package let id: Int64
    package let name: String
    package var fields: [String: FieldDefinition]
    /// Index marks of implicit fields; unindexed fields are left out.
    package var implicit: [ImplicitField: Set<IndexKind>]
    package var grants: Grants
    /// The generation of the type's values table that queries use.
    package var generation: Int64
    /// The index generation under construction, to replace the current generation; every write goes to both.
    package var building: Int64?
    /// Indexes still being built, which queries must await, by field column.
    package var unbuilt: [String: Set<IndexKind>]
    /// Value indexes by column, each with the first table generation that contains the index.
    package var indexes: [String: Int64]
    /// Removed fields, each with the position of its removal: values in records from before that position are void.
    package var dropped: [String: Int64]

    package init(
        id: Int64, name: String, fields: [String: FieldDefinition] = [:],
        implicit: [ImplicitField: Set<IndexKind>] = [:], grants: Grants = .standard, generation: Int64 = 0,
        building: Int64? = nil, unbuilt: [String: Set<IndexKind>] = [:], indexes: [String: Int64] = [:],
        dropped: [String: Int64] = [:]
    ) {
        self.id = id
        self.name = name
        self.fields = fields
        self.implicit = implicit
        self.grants = grants
        self.generation = generation
        self.building = building
        self.unbuilt = unbuilt
        self.indexes = indexes
        self.dropped = dropped
    }

    /// The built-in type of user records (reference A §11.3, B §5.0).
    package static let users = "Users"
    /// The refusal of queries for users, in Apple's words: anybody with read access could otherwise list all people.
    /// `users/discover` finds people by a known address.
    package static let notForQueries = ServerError.badRequest("Can't query system types", .schema(.builtIn))
    /// The field with the numbers of a user's custom roles, writable only for operators (reference A §12).
    package static let rolesField = "roles"
    /// Predefined fields of user records; apps add their own.
    package static let usersFields: [(name: String, type: FieldType)] = [(rolesField, FieldType(.int64, isList: true))]
}

/// The schema of a container's environment, at one version.
package struct Catalog: Hashable, Sendable {
    /// Increases with every change, so that plans made for an older version are detected.
    package private(set) var version: Int64
    package private(set) var types: [String: RecordType]
    /// Custom roles by number, in order of creation.
    package private(set) var roles: [Int64: String]
    /// Removed types whose records are still being deleted.
    package let removed: [Int64: RecordType]
    private var names: [Int64: String]

    package init(
        version: Int64, types: [RecordType] = [], roles: [Int64: String] = [:], removed: [RecordType] = []
    ) {
        self.version = version
        self.roles = roles
        self.removed = Dictionary(uniqueKeysWithValues: removed.map { ($0.id, $0) })
        self.types = Dictionary(uniqueKeysWithValues: types.map { ($0.name, $0) })
        names = Dictionary(uniqueKeysWithValues: types.map { ($0.id, $0.name) })
    }

    /// The type with this number, including removed types.
    package func type(id: Int64?) -> RecordType? { id.flatMap { id in names[id].flatMap { types[$0] } ?? removed[id] } }

    /// Returns true if the type was removed and its records await deletion.
    package func isRemoved(type id: Int64?) -> Bool { id.map { removed[$0] != nil } ?? false }

    /// All types with a values table, including removed types.
    package var stored: [RecordType] { Array(types.values) + Array(removed.values) }

    /// The names of custom roles by number; numbers of deleted roles are skipped.
    package func roleNames(_ numbers: some Sequence<Int64>) -> Set<String> {
        Set(numbers.compactMap { roles[$0] })
    }

    /// The next version, with this type added or replaced.
    package func adding(_ type: RecordType) -> Catalog {
        var next = self
        next.version += 1
        next.types[type.name] = type
        next.names[type.id] = type.name
        return next
    }
}

extension Catalog {
    /// The schema in textual terms.
    package var definition: SchemaDefinition {
        SchemaDefinition(
            roles: roles.sorted { $0.key < $1.key }.map(\.value), types: types.mapValues(\.definition))
    }
}

extension RecordType {
    package var definition: TypeDefinition {
        TypeDefinition(
            fields: fields.mapValues {
                FieldDeclaration($0.type, isPreferredNumber: $0.isPreferredNumber, indexes: $0.indexes)
            }, implicit: implicit, grants: grants)
    }
}
