package import CloudModel
import GRDB

/// records/lookup, decoded (reference A §6).
package struct LookupRequest: Sendable {
    package let zone: ZoneID
    package let names: [String]
    package let caller: Caller

    package init(zone: ZoneID, names: [String], caller: Caller) {
        self.zone = zone
        self.names = names
        self.caller = caller
    }
}

extension LookupRequest {
    /// Each name's stored record, or why it is not shown, in the order asked for.
    func run(
        _ db: Database, catalog: Catalog, roles: RoleMemory.Reader
    ) throws -> [Result<[UInt8], ServerError>] {
        let found = try ZoneView.find(zone, for: caller, db)
        if found == nil && zone.isCustom { throw ServerError(.zoneNotFound, "Zone not found") }
        let callerRoles = CallerRoles(catalog, roles, db)
        return try names.map { name in
            guard let found else { return Self.notFound }
            return try record(name, in: found, db, catalog: catalog, callerRoles)
        }
    }

    private func record(
        _ name: String, in view: ZoneView, _ db: Database, catalog: Catalog, _ roles: CallerRoles
    ) throws -> Result<[UInt8], ServerError> {
        let result = try db.first(
            """
            SELECT body, record_type, creator, share, id FROM records
            WHERE zone = ? AND name = ? AND record_type IS NOT NULL
            """,
            .integer(view.row.id), .text(name)
        ) { row -> Result<[UInt8], ServerError> in
            guard view.sees(row.isNull(3) ? nil : row.integer(3)), !catalog.isRemoved(type: row.integer(1))
            else { return Self.notFound }
            if zone.owner == ZoneID.publicOwner {
                let grants = catalog.type(id: row.integer(1))?.grants ?? .standard
                if let refusal = try roles.refusal(.read, grants, to: caller, creator: row.text(2)) {
                    return .failure(refusal)
                }
            }
            return .success(try ShareFilling.fill(row.blob(0), record: row.integer(4), for: caller, db))
        }
        return result ?? Self.notFound
    }

    private static let notFound = Result<[UInt8], ServerError>.failure(ServerError(.notFound, "Record not found"))
}
