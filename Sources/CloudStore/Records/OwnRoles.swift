import CloudModel

/// The roles in a user record, which only operators change.
enum OwnRoles {
    /// The fields of an operation on a user record, with the record's stored roles.
    ///
    /// - Throws: `ACCESS_DENIED` for an operation with other roles; repeating the stored roles is allowed.
    static func keeping(
        _ old: ParsedBody, in fields: [(definition: FieldDefinition, value: FieldValue?)], of type: RecordType,
        zone: ZoneID
    ) throws -> [(definition: FieldDefinition, value: FieldValue?)] {
        let kept = try old.values(of: type, zone: zone)
            .first { $0.definition.name == RecordType.rolesField }
        guard let named = fields.first(where: { $0.definition.name == RecordType.rolesField }) else {
            return fields + (kept.map { [($0.definition, $0.value)] } ?? [])
        }
        let none = FieldValue.list([])
        guard named.value ?? none == kept?.value ?? none else {
            throw ServerError(
                .accessDenied,
                "WRITE operation not permitted: field '\(known: RecordType.rolesField)' of record type "
                    + "'\(known: RecordType.users)' is for the server's operator to set", .schema(.builtIn))
        }
        return fields
    }
}

extension Batch {
    /// The content of a user record after an operation with the fields from ``OwnRoles/keeping(_:in:of:zone:)``.
    func userContent(
        _ old: ParsedBody, _ type: RecordType, _ fields: [(definition: FieldDefinition, value: FieldValue?)],
        _ operation: RecordOperation
    ) throws -> RecordContent {
        operation.type.clearsUnnamedFields
            ? try newContent(fields, untyped: operation.untypedLists(type))
            : try merged(old, type, fields, operation)
    }
}
