extension SchemaDefinition {
    /// Nil if the schema fits the limits; otherwise the exceeded limit (reference A §10).
    package func fault(_ limits: Limits) -> Reason? {
        let count = Set(types.keys).union(Self.builtInTypes).count
        if count > limits.recordTypes {
            return "the schema has \(count) record types, at most \(limits.recordTypes) are allowed (limit.recordTypes)"
        }
        if roles.count > limits.roles {
            return "the schema has \(roles.count) roles, at most \(limits.roles) are allowed (limit.roles)"
        }
        let largest = types.filter { $0.value.fields.count > limits.fieldsPerRecordType }.min { $0.key < $1.key }
        guard let (name, type) = largest else { return nil }
        return "record type '\(Naming.shown(name))' has \(type.fields.count) fields, at most "
            + "\(limits.fieldsPerRecordType) are allowed (limit.fieldsPerRecordType)"
    }
}
