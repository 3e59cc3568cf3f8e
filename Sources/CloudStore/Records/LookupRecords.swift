package import CloudModel
import CloudSQL

/// records/lookup, decoded (reference A §6).
package struct LookupRequest: Sendable {
    package let zone: ZoneID
    package let names: [String]
    package let caller: Caller
    /// How each name's record is wanted; none means as it is stored.
    package let presentations: [Presentation]
    /// Makes what is answered of a stored form, while it is read.
    package let show: @Sendable ([UInt8], Presentation) throws -> [UInt8]
    package let allowance: AnswerAllowance

    package init(
        zone: ZoneID, names: [String], caller: Caller, presentations: [Presentation] = [],
        allowance: AnswerAllowance = AnswerAllowance(),
        show: @escaping @Sendable ([UInt8], Presentation) throws -> [UInt8] = { body, _ in body }
    ) {
        self.zone = zone
        self.names = names
        self.caller = caller
        self.presentations = presentations
        self.show = show
        self.allowance = allowance
    }
}

extension LookupRequest {
    /// Whether it takes a few rows by key and copies them.
    var isSmall: Bool { presentations.allSatisfy(\.isVerbatim) }

    /// Each name's record, or why it is not shown, in the order asked for. What is asked for twice is read once.
    func run(
        _ db: SQLConnection, catalog: Catalog, roles: RoleMemory.Reader
    ) throws -> [Result<[UInt8], ServerError>] {
        let found = try ZoneView.find(zone, for: caller, db)
        if found == nil && zone.isCustom { throw ServerError(.zoneNotFound, "Zone not found") }
        let callerRoles = CallerRoles(catalog, roles, db)
        var known: [Item: Result<[UInt8], ServerError>] = [:]
        return try names.indices.map { index in
            guard let found else { return Self.notFound }
            if allowance.isFull { return .failure(beyondAllowance) }
            // By its bytes, as the store tells names apart.
            let item = Item(name: Array(names[index].utf8), presentation: presentation(index))
            let result =
                try known[item]
                ?? shown(
                    record(names[index], in: found, db, catalog: catalog, callerRoles), item.presentation)
            if names.count > 1 { known[item] = result }
            if case .success(let body) = result { try allowance.take(body.count) }
            return result
        }
    }

    private func shown(
        _ record: Result<[UInt8], ServerError>, _ presentation: Presentation
    ) throws -> Result<[UInt8], ServerError> {
        guard case .success(let body) = record else { return record }
        return .success(try show(body, presentation))
    }

    private struct Item: Hashable {
        let name: [UInt8]
        let presentation: Presentation
    }

    private func presentation(_ index: Int) -> Presentation {
        presentations.indices.contains(index) ? presentations[index] : Presentation()
    }

    private var beyondAllowance: ServerError {
        ServerError(
            .tryAgainLater,
            "the records before it fill the answer, which may have \(allowance.limit) bytes of records "
                + "(limit.responseBytes); look it up in another request", retryAfter: 1)
    }

    private func record(
        _ name: String, in view: ZoneView, _ db: SQLConnection, catalog: Catalog, _ roles: CallerRoles
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
            let (body, id) = (row.blob(0), row.integer(4))
            return .success(
                view.memberships == nil
                    ? try ShareFilling.fill(body, record: id, for: caller, db)
                    : try ShareFilling.fillShared(body, record: id, for: caller, db))
        }
        return result ?? Self.notFound
    }

    private static let notFound = Result<[UInt8], ServerError>.failure(ServerError(.notFound, "Record not found"))
}
