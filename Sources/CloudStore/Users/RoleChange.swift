import CloudModel
import CloudSQL

/// An operator grants a custom role to a user or revokes it. Nothing else changes the field `roles` of a user's record.
struct RoleChange {
    let role: String
    let user: String
    let isGranted: Bool
    let now: Timestamp
    let limits: Limits

    /// - Throws: `NOT_FOUND` for an unknown role, or a user without a record.
    func run(_ transaction: WriteTransaction) throws -> RoleMember {
        guard let number = transaction.catalog.roles.first(where: { $0.value == role })?.key else {
            throw ServerError(
                .notFound, "there is no role '\(Naming.shown(role))'; CREATE ROLE in the schema's text makes one",
                .missing(.role))
        }
        guard let zone = try transaction.zones.find(UserRoles.zone),
            let stored = try RecordTable.find(user, zone: zone.id, transaction.db), stored.type != nil
        else { throw ServerError(.notFound, "there is no user '\(Naming.shown(user))'", .missing(.user)) }
        let old = try ParsedBody(RecordTable.body(of: stored.id, transaction.db))
        var numbers = UserRoles.numbers(in: old.fields)
        if numbers.contains(number) != isGranted {
            if isGranted { numbers.append(number) } else { numbers.removeAll { $0 == number } }
            numbers.sort()
            try write(numbers, stored, old, zone, transaction)
        }
        return RoleMember(
            userRecordName: user, roles: numbers.compactMap { transaction.catalog.roles[$0] })
    }

    private func write(
        _ numbers: [Int64], _ stored: StoredRecord, _ old: ParsedBody, _ zone: ZoneRow,
        _ transaction: WriteTransaction
    ) throws {
        let (type, field) = try definitions(transaction)
        var fields = try old.values(of: type, zone: UserRoles.zone).filter { $0.definition.id != field.id }
        if !numbers.isEmpty { fields.append((field, .list(numbers.map(Scalar.int64)))) }
        let content = try RecordContent(fields, untyped: old.untypedLists(of: type), zone: UserRoles.zone).within(
            limits)
        let position = try transaction.nextPosition()
        let header = RecordBody.Header(
            recordName: user, recordType: type.name, changeTag: transaction.tag(position), created: old.created,
            modified: transaction.stamp(by: user, at: now), parent: old.parent,
            shortGUID: old.shortGUID, share: old.share)
        let row = RecordTable.Row(
            zone: zone.id, type: type, position: position, hasFeed: false, header: header, content: content,
            body: RecordBody(header, fields: content.json, zone: nil), values: transaction.schema.values(type)
        )
        try RecordTable.overwrite(stored, old.fields, with: row, transaction)
        try transaction.didChange(
            ChangedRecord(
                reason: .update, id: stored.id, name: user, type: type, zone: UserRoles.zone, zoneRow: zone.id))
        transaction.zones.touch(zone.id, at: position)
        transaction.usage.add(bytes: row.body.size - stored.bodySize, records: 0, owner: UserRoles.zone.owner)
        transaction.roles.change(of: user)
    }

    /// The record type of users and its field for roles, which is created if the schema lacks it.
    private func definitions(_ transaction: WriteTransaction) throws -> (RecordType, FieldDefinition) {
        var catalog = transaction.catalog
        let kind = FieldType(.int64, isList: true)
        if let type = catalog.types[RecordType.users], type.fields[RecordType.rolesField] == nil {
            catalog = try SchemaTables.createField(
                RecordType.rolesField, kind, of: type, in: catalog, transaction.db)
            transaction.schema.adopt(catalog)
        }
        guard let type = catalog.types[RecordType.users], let field = type.fields[RecordType.rolesField],
            field.type == kind
        else {
            throw ServerError.badRequest(
                "field '\(known: RecordType.rolesField)' of record type '\(known: RecordType.users)' must be LIST<INT64> for roles",
                .schema(.type(field: RecordType.rolesField)))
        }
        return (type, field)
    }
}
