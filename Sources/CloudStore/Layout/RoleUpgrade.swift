import CloudModel
import CloudSQL

/// Empties the `roles` field of user records in older databases, where users could write the field themselves: their
/// values must not become roles.
enum RoleUpgrade {
    static func run(_ db: SQLConnection) throws {
        let catalog = try CatalogReader.loadOld(db)
        guard let type = catalog.types[RecordType.users], let field = type.fields[RecordType.rolesField],
            field.type.isList
        else { return }
        var freed = 0
        for id in try users(type, db) { freed += try empty(field, of: id, type, db) }
        try UsageTable.add(Usage(bytes: Int64(-freed)), owner: UserRoles.zone.owner, db)
        for table in SchemaTables.tables(type) {
            let column = SchemaTables.column(.field(field))
            try db.run("UPDATE \(table) SET \(column) = NULL WHERE \(column) IS NOT NULL")
        }
        try db.run("DELETE FROM elements WHERE field = ?", .integer(field.id))
    }

    /// Rows of user records that may contain the field.
    private static func users(_ type: RecordType, _ db: SQLConnection) throws -> [Int64] {
        var users: [Int64] = []
        try db.each(
            "SELECT id FROM records WHERE record_type = ? AND instr(body, ?) > 0",
            [.integer(type.id), .blob(Array("\"\(RecordType.rolesField)\"".utf8))]
        ) {
            users.append($0.integer(0))
            return true
        }
        return users
    }

    /// - Returns: the number of bytes saved.
    private static func empty(_ field: FieldDefinition, of id: Int64, _ type: RecordType, _ db: SQLConnection) throws
        -> Int
    {
        let body = try RecordTable.body(of: id, db)
        let old = try ParsedBody(body)
        let left = try old.values(of: type, zone: UserRoles.zone).filter { $0.definition.id != field.id }
        let header = RecordBody.Header(
            recordName: old.recordName, recordType: type.name, changeTag: old.changeTag, created: old.created,
            modified: old.modified, parent: old.parent, shortGUID: old.shortGUID, share: old.share)
        let emptied = RecordBody(
            header, fields: RecordContent(left, untyped: old.untypedLists(of: type), zone: UserRoles.zone).json,
            zone: nil)
        try db.run("UPDATE records SET body = ? WHERE id = ?", .record(emptied), .integer(id))
        return body.size - emptied.size
    }
}
