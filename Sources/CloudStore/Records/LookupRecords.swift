package import CloudModel
import CloudSQL

/// A decoded records/lookup request (reference A §6). A class, since each part of the read refers to it.
package final class LookupRequest: Sendable {
    package let zone: ZoneID
    package let names: [String]
    package let caller: Caller
    /// The presentation of each name's record; records without one are returned as stored.
    package let presentations: [Presentation]
    /// Transforms each stored record for the response, during the read.
    package let show: @Sendable (RecordBody, Presentation) throws -> RecordBody
    package let allowance: ResponseAllowance
    package let trace: RequestTrace?

    package init(
        zone: ZoneID, names: [String], caller: Caller, presentations: [Presentation] = [],
        allowance: ResponseAllowance = ResponseAllowance(), trace: RequestTrace? = nil,
        show: @escaping @Sendable (RecordBody, Presentation) throws -> RecordBody = { body, _ in body }
    ) {
        self.zone = zone
        self.names = names
        self.caller = caller
        self.presentations = presentations
        self.show = show
        self.allowance = allowance
        self.trace = trace
    }
}

extension LookupRequest {
    /// True if the lookup only copies a few rows by key.
    var isSmall: Bool { presentations.allSatisfy(\.isVerbatim) }

    /// Returns each name's record or error, in the order of the request. Repeated names are read once.
    func run(
        _ db: SQLConnection, catalog: Catalog, roles: RoleMemory.Reader
    ) throws -> [Result<RecordBody, ServerError>] {
        let found = try ZoneView.find(zone, for: caller, db)
        if found == nil && zone.isCustom { throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone)) }
        if let access = found?.access { trace?.note(.share(access)) }
        let callerRoles = zone.owner == ZoneID.publicOwner ? CallerRoles(catalog, roles, db, trace) : nil
        if names.count == 1 { return [try only(found, db, catalog, callerRoles)] }
        var known: [Item: Result<RecordBody, ServerError>] = [:]
        var rows: [ExactName: Row] = [:]
        return try names.indices.map { index in
            guard let found else { return Self.notFound }
            if allowance.isFull { return .failure(beyondAllowance) }
            if index.isMultiple(of: Self.mostAtOnce) {
                let next = names.indices[index...].prefix(Self.mostAtOnce)
                rows = try self.rows(next.filter { known.isEmpty || known[self.item($0)] == nil }, found.row.id, db)
            }
            let item = self.item(index)
            let result =
                try known[item]
                ?? shown(
                    record(rows[ExactName(names[index])], in: found, db, catalog: catalog, callerRoles),
                    presentation(index))
            known[item] = result
            if case .success(let body) = result { try allowance.take(body.size) }
            return result
        }
    }

    /// The answer to a lookup of a single name.
    private func only(
        _ view: ZoneView?, _ db: SQLConnection, _ catalog: Catalog, _ roles: CallerRoles?
    ) throws -> Result<RecordBody, ServerError> {
        guard let view else { return Self.notFound }
        if allowance.isFull { return .failure(beyondAllowance) }
        let row = try row(names[0], view.row.id, db)
        let result = try shown(record(row, in: view, db, catalog: catalog, roles), presentation(0))
        if case .success(let body) = result { try allowance.take(body.size) }
        return result
    }

    private func shown(
        _ record: Result<RecordBody, ServerError>, _ presentation: Presentation
    ) throws -> Result<RecordBody, ServerError> {
        guard case .success(let body) = record else { return record }
        return .success(try show(body, presentation))
    }

    private struct Item: Hashable {
        let name: [UInt8]
        let presentation: Presentation
    }

    /// Compares names by bytes, like the store.
    private func item(_ index: Int) -> Item {
        Item(name: Array(names[index].utf8), presentation: presentation(index))
    }

    private func presentation(_ index: Int) -> Presentation {
        presentations.indices.contains(index) ? presentations[index] : Presentation()
    }

    private var beyondAllowance: ServerError {
        ServerError(
            .tryAgainLater,
            "the records before it fill the answer, which may have \(allowance.limit) bytes of records "
                + "(limit.responseBytes); look it up in another request",
            .limit(allowance.limit, "limit.responseBytes"), retryAfter: 1)
    }

    /// Records per statement: as many as a client's request may keep in memory besides the response.
    private static let mostAtOnce = 16
    private static let statements = NamedRecords(
        columns: "r.body, r.record_type, r.creator, r.share, r.id", where: "r.record_type IS NOT NULL")

    private struct Row {
        let body: RecordBody
        let type: Int64
        let creator: String
        let share: Int64?
        let id: Int64

        init(_ row: SQLRow) {
            body = row.record(0)
            type = row.integer(1)
            creator = row.text(2)
            share = row.optionalInteger(3)
            id = row.integer(4)
        }
    }

    private struct RowKey: Hashable {
        let zone: Int64
        let name: ExactName
    }

    private func rows(_ indices: [Int], _ zone: Int64, _ db: SQLConnection) throws -> [ExactName: Row] {
        let wanted = Set(indices.map { ExactName(names[$0]) })
        guard wanted.count == 1, let name = wanted.first else { return try Self.rows(wanted, zone, db) }
        return try row(name.text, zone, db).map { [name: $0] } ?? [:]
    }

    private func row(_ name: String, _ zone: Int64, _ db: SQLConnection) throws -> Row? {
        guard db.remembersSnapshot else { return try Self.row(name, zone, db) }
        return try db.remembered(RowKey(zone: zone, name: ExactName(name))) { try Self.row(name, zone, db) }
    }

    private static func row(_ name: String, _ zone: Int64, _ db: SQLConnection) throws -> Row? {
        var found: Row?
        try statements.each(name, zone: zone, db) { found = Row($0) }
        return found
    }

    private static func rows(
        _ names: Set<ExactName>, _ zone: Int64, _ db: SQLConnection
    ) throws -> [ExactName: Row] {
        var rows: [ExactName: Row] = [:]
        try statements.each(names.map(\.text), zone: zone, db) { row in rows[ExactName(row.text(5))] = Row(row) }
        return rows
    }

    /// The record of a lookup of a single name; nil for several names.
    var prefetch: RecordPrefetch? {
        guard names.count == 1 else { return nil }
        return RecordPrefetch(record: NamedRecord(zone: zone, name: ExactName(names[0]))) { records, db in
            for (zone, records) in Dictionary(grouping: records, by: \.zone) {
                guard let zone = try ZoneTable.find(zone, db)?.id else { continue }
                let names = Set(records.map(\.name))
                let rows = try Self.rows(names, zone, db)
                for name in names { db.remember(RowKey(zone: zone, name: name), rows[name]) }
            }
        }
    }

    private func record(
        _ row: Row?, in view: ZoneView, _ db: SQLConnection, catalog: Catalog, _ roles: CallerRoles?
    ) throws -> Result<RecordBody, ServerError> {
        guard let row, view.sees(row.share), !catalog.isRemoved(type: row.type) else { return Self.notFound }
        guard row.body.isWhole else { return .failure(.damagedRecord) }
        if let roles {
            let type = catalog.type(id: row.type)
            let refusal = try roles.refusal(
                .read, type?.grants ?? .standard, to: caller, creator: row.creator, type: type?.name)
            if let refusal {
                return .failure(refusal)
            }
        }
        return .success(
            view.memberships == nil
                ? try ShareFilling.fill(row.body, record: row.id, for: caller, db)
                : try ShareFilling.fillShared(row.body, record: row.id, for: caller, db))
    }

    private static let notFound = Result<RecordBody, ServerError>.failure(
        ServerError(.notFound, "Record not found", .missing(.record)))
}
