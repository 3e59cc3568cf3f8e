import CloudModel

extension Batch {
    /// The fields of an operation on a user record, with the record's stored roles: only operators change roles.
    ///
    /// - Throws: `ACCESS_DENIED` for an operation with other roles; repeating the stored roles is allowed.
    func keepingRoles(
        _ fields: [(definition: FieldDefinition, value: FieldValue?)], of type: RecordType, _ old: ParsedBody
    ) throws -> [(definition: FieldDefinition, value: FieldValue?)] {
        let kept = try old.values(of: type, zone: context.request.zone)
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

    /// The content of a user record after an operation with the fields from ``keepingRoles(_:of:_:)``.
    func userContent(
        _ old: ParsedBody, _ type: RecordType, _ fields: [(definition: FieldDefinition, value: FieldValue?)],
        _ operation: RecordOperation
    ) throws -> RecordContent {
        operation.type.clearsUnnamedFields
            ? try newContent(fields, untyped: operation.untypedLists(type))
            : try merged(old, type, fields, operation)
    }
}
