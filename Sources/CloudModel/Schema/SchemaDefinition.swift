/// A schema in the terms of its text (reference A §11.3), independent of any store.
package struct SchemaDefinition: Hashable, Sendable {
    /// Custom roles in the order of their creation.
    package var roles: [String]
    /// By name.
    package var types: [String: TypeDefinition]

    package init(roles: [String] = [], types: [String: TypeDefinition] = [:]) {
        self.roles = roles
        self.types = types
    }
}

/// A record type in schema text.
package struct TypeDefinition: Hashable, Sendable {
    /// By name.
    package var fields: [String: FieldDeclaration]
    /// Index marks of implicit fields; unindexed fields are left out.
    package var implicit: [ImplicitField: Set<IndexKind>]
    package var grants: Grants

    package init(
        fields: [String: FieldDeclaration] = [:], implicit: [ImplicitField: Set<IndexKind>] = [:],
        grants: Grants = Grants([:])
    ) {
        self.fields = fields
        self.implicit = implicit
        self.grants = grants
    }
}

/// A field in schema text.
package struct FieldDeclaration: Hashable, Sendable {
    package var type: FieldType
    /// True for a former NUMBER field whose kind has since been fixed: `NUMBER PREFERRED AS INT64`.
    package var isPreferredNumber: Bool
    package var indexes: Set<IndexKind>

    package init(_ type: FieldType, isPreferredNumber: Bool = false, indexes: Set<IndexKind> = []) {
        self.type = type
        self.isPreferredNumber = isPreferredNumber
        self.indexes = indexes
    }
}

extension IndexKind {
    /// The index marks with an effect on fields of a type. Other marks are kept in the schema but create no index.
    package static func useful(for type: FieldType) -> Set<IndexKind> {
        if type.isEncrypted { return [] }
        switch (type.kind, type.isList) {
        case (.asset, _), (.bytes, _): return []
        case (.string, true): return [.queryable, .searchable]
        case (.string, false): return [.queryable, .searchable, .sortable]
        case (_, true): return [.queryable]
        case (_, false): return [.queryable, .sortable]
        }
    }
}
