package import CloudModel
import CloudSQL

/// Users' custom roles: numbers in the field `roles` of the user's record in the public database (reference A §11.3, §12).
package enum UserRoles {
    package static let zone = ZoneID(name: ZoneID.defaultName, owner: ZoneID.publicOwner)

    static func numbers(of user: String, _ db: SQLConnection) throws -> Set<Int64> {
        let body = try db.first(
            """
            SELECT body FROM records
            WHERE zone = (SELECT id FROM zones WHERE owner = ? AND name = ? AND deleted = 0) AND name = ?
                AND record_type IS NOT NULL
            """,
            .text(zone.owner), .text(zone.name), .text(user)
        ) { $0.record(0) }
        return try body.map { Set(try numbers(in: ParsedBody($0).fields)) } ?? []
    }

    /// The role numbers in a record's fields, in stored order.
    static func numbers(in fields: JSONObject) -> [Int64] {
        (fields[RecordType.rolesField]?.object?["value"]?.array ?? []).compactMap(\.integer)
    }

    /// Users with custom roles, by record name.
    ///
    /// - Parameter name: only users after this record name.
    static func members(after name: String, limit: Int, catalog: Catalog, _ db: SQLConnection) throws -> [RoleMember] {
        var members: [RoleMember] = []
        // User record names begin with _, so they are adjacent in the index of names.
        try db.each(
            """
            SELECT name, body FROM records
            WHERE zone = (SELECT id FROM zones WHERE owner = ? AND name = ? AND deleted = 0)
                AND name > ? AND name < ? AND record_type = ? AND instr(body, ?) > 0
            ORDER BY name
            """,
            [
                .text(zone.owner), .text(zone.name), .text(max(name, "_")), .text("`"),
                .integer(catalog.types[RecordType.users]?.id ?? 0),
                .blob(Array("\"\(RecordType.rolesField)\"".utf8)),
            ]
        ) { row in
            let numbers = numbers(in: try ParsedBody(row.record(1)).fields)
            let roles = numbers.compactMap { catalog.roles[$0] }
            if !roles.isEmpty { members.append(RoleMember(userRecordName: row.text(0), roles: roles)) }
            return members.count < limit
        }
        return members
    }
}
