import CloudModel
import GRDB

/// The operations of one request as they are written, and what has to be judged at the end.
struct Batch {
    private let context: ModifyRecords
    private let transaction: WriteTransaction
    private let zone: ZoneRow
    private var db: Database { transaction.db }
    private var lastPosition: Int64?
    /// Links of records this batch wrote, and records it deleted, each by the operation it happened in.
    private var written: [(index: Int, link: RecordContent.Link)] = []
    private var deleted: [(index: Int, name: String)] = []

    init(_ context: ModifyRecords, _ transaction: WriteTransaction) throws {
        self.context = context
        self.transaction = transaction
        zone = try Self.zone(context.request.zone, transaction)
    }

    /// The default zone exists without being made (reference A §13.1).
    private static func zone(_ id: ZoneID, _ transaction: WriteTransaction) throws -> ZoneRow {
        if let row = try transaction.zone(id) { return row }
        guard !id.isCustom else { throw ServerError(.zoneNotFound, "Zone not found") }
        let row = try ZoneTable.insert(id, position: transaction.nextPosition(), transaction.db)
        transaction.remember(row, id)
        return row
    }

    private var hasFeed: Bool { context.request.zone.isCustom }
    private var isPublic: Bool { context.request.zone.owner == ZoneID.publicOwner }
    private var claims: AssetClaims {
        AssetClaims(
            owner: context.request.zone.owner, user: context.request.caller.userRecordName ?? ZoneID.publicOwner,
            now: context.now)
    }

    // MARK: One operation

    mutating func perform(_ operation: RecordOperation, name: String, index: Int) throws -> OperationOutcome {
        let found = try RecordTable.find(name, zone: zone.id, db)
        let live = found.flatMap { $0.type == nil ? nil : $0 }
        let type = transaction.catalog.type(id: live?.type)
        switch operation.type.verdict(stored: live.map { ChangeTag.text($0.tag) }, sent: operation.changeTag) {
        case .refuse(let error):
            throw error
        case .nothing:
            return .deleted(recordName: name)
        case .insert:
            let body = try insert(operation, name: name, index: index, tombstone: found)
            return .saved(body)
        case .overwrite:
            guard let live, let type else { throw ServerError(.notFound, "Record not found") }
            return .saved(try overwrite(live, type, operation, name: name, index: index))
        case .delete:
            guard let live, let type else { return .deleted(recordName: name) }
            if isPublic { try allow(.write, type.grants, creator: live.creator) }
            if type.name == RecordType.users {
                throw ServerError(.accessDenied, "WRITE operation not permitted: user records cannot be deleted")
            }
            try delete(live, name: name, index: index)
            return .deleted(recordName: name)
        }
    }

    private func allow(_ permission: Permission, _ grants: Grants, creator: String?) throws {
        if let refusal = grants.refusal(permission, to: context.request.caller, creator: creator) { throw refusal }
    }

    private mutating func insert(
        _ operation: RecordOperation, name: String, index: Int, tombstone: StoredRecord?
    ) throws -> [UInt8] {
        guard let typeName = operation.recordType else {
            throw ServerError.badRequest("recordType is required to create a record")
        }
        guard typeName != RecordType.users else {
            throw ServerError(.accessDenied, "CREATE operation not permitted: user records are made by the server")
        }
        if let fault = Naming.fault(recordName: name, limit: context.request.limits.recordNameCharacters) {
            throw ServerError.badRequest(fault)
        }
        if isPublic {
            try allow(.create, transaction.catalog.types[typeName]?.grants ?? .standard, creator: nil)
        }
        let (type, fields, content) = try fields(of: operation, type: typeName, index: index)
        try claims.check(fields, old: nil, db)
        let complete = try content ?? newContent(fields)
        let position = transaction.nextPosition()
        let stamp = RecordBody.Stamp(
            timestamp: context.now, userRecordName: context.request.caller.userRecordName ?? ZoneID.publicOwner)
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: ChangeTag.text(position), created: stamp,
            modified: stamp)
        if case .set(let parent) = operation.parent { header.parent = parent }
        if operation.createShortGUID { header.shortGUID = ShortGUID.make() }
        try judgeParent(header)
        if let tombstone { try RecordTable.deleteTombstone(tombstone, db) }
        let row = row(type, position, header, complete)
        _ = try RecordTable.insert(row, db)
        note(row, index, countedRecords: 1, replacing: 0)
        return row.body
    }

    private mutating func overwrite(
        _ live: StoredRecord, _ type: RecordType, _ operation: RecordOperation, name: String, index: Int
    ) throws -> [UInt8] {
        if isPublic { try allow(.write, type.grants, creator: live.creator) }
        if let given = operation.recordType, given != type.name {
            throw ServerError.badRequest(
                "record '\(Naming.shown(name))' is of type '\(type.name)', not '\(Naming.shown(given))'")
        }
        let old = try ParsedBody(RecordTable.body(of: live.id, db))
        let (grown, fields, content) = try fields(of: operation, type: type.name, index: index)
        try claims.check(fields, old: old.fields, db)
        let complete = try content ?? merged(old, grown, fields)
        let position = transaction.nextPosition()
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: ChangeTag.text(position), created: old.created,
            modified: RecordBody.Stamp(
                timestamp: context.now, userRecordName: context.request.caller.userRecordName ?? ZoneID.publicOwner),
            parent: old.parent, shortGUID: old.shortGUID)
        switch operation.parent {
        case .keep: if operation.type.clearsUnnamedFields { header.parent = nil }
        case .set(let parent): header.parent = parent
        case .clear: header.parent = nil
        }
        if operation.createShortGUID && header.shortGUID == nil { header.shortGUID = ShortGUID.make() }
        try judgeParent(header)
        let row = row(grown, position, header, complete)
        try RecordTable.overwrite(live, with: row, db)
        note(row, index, countedRecords: 0, replacing: live.bodySize)
        return row.body
    }

    /// Deletes a record and, recursively, those whose DELETE_SELF references it holds together (reference A §13.2).
    private mutating func delete(_ first: StoredRecord, name: String, index: Int) throws {
        var doomed = [(record: first, name: name)]
        // Who refers to two doomed records is found twice.
        var gone: Set<Int64> = []
        while let (record, name) = doomed.popLast() {
            guard gone.insert(record.id).inserted else { continue }
            let position = transaction.nextPosition()
            let type = transaction.catalog.type(id: record.type)
            try RecordTable.delete(
                record, name: name, type: type, zone: zone.id, feed: hasFeed ? position : nil, db)
            deleted.append((index, name))
            lastPosition = position
            transaction.count(bytes: -record.bodySize, records: -1, owner: context.request.zone.owner)
            doomed += try LinkTable.holders(of: name, kind: .deleteSelf, zone: zone.id, db)
        }
    }

    // MARK: Fields

    private func fields(
        of operation: RecordOperation, type name: String, index: Int
    ) throws -> (RecordType, [(definition: FieldDefinition, value: FieldValue?)], RecordContent?) {
        var preparation = context.prepared[index]
        let isStale = transaction.catalog.version != context.preparedVersion
        if isStale || operation.recordType == nil { preparation = prepare(operation, name) }
        if case .needsSchema(let missing) = preparation {
            try growSchema(type: name, by: missing)
            preparation = prepare(operation, name)
        }
        switch preparation {
        case .refused(let error): throw error
        case .ready(let fields, let content):
            guard let type = transaction.catalog.types[name] else { break }
            return (type, fields, content)
        case .needsSchema, .unknownType: break
        }
        throw ServerError(.badRequest, "recordType '\(Naming.shown(name))' is unknown")
    }

    private func prepare(_ operation: RecordOperation, _ name: String) -> Preparation {
        Preparation(
            operation, type: name, catalog: transaction.catalog, zone: context.request.zone,
            limits: context.request.limits)
    }

    private func growSchema(type name: String, by missing: [(name: String, type: FieldType)]) throws {
        try SchemaGrowth(
            indexing: context.indexing, environment: context.environment, isAllowed: context.request.growsSchema,
            limits: context.request.limits
        ).grow(type: name, by: missing, transaction)
    }

    private func newContent(_ fields: [(definition: FieldDefinition, value: FieldValue?)]) throws -> RecordContent {
        try RecordContent(
            fields.compactMap { field in field.value.map { (field.definition, $0) } }, zone: context.request.zone
        ).within(context.request.limits)
    }

    /// Fields not named keep their values; named ones take the new one or go.
    private func merged(
        _ old: ParsedBody, _ type: RecordType, _ changes: [(definition: FieldDefinition, value: FieldValue?)]
    ) throws -> RecordContent {
        let named = Dictionary(changes.map { ($0.definition.id, $0.value) }) { _, last in last }
        var fields: [RecordContent.Field] = []
        var placed: Set<Int64> = []
        for (definition, value) in try old.values(of: type, zone: context.request.zone) {
            placed.insert(definition.id)
            guard let change = named[definition.id] else {
                fields.append((definition, value))
                continue
            }
            if let change { fields.append((definition, change)) }
        }
        for case (let definition, let value?) in changes where !placed.contains(definition.id) {
            fields.append((definition, value))
        }
        return try RecordContent(fields, zone: context.request.zone).within(context.request.limits)
    }

    private func row(
        _ type: RecordType, _ position: Int64, _ header: RecordBody.Header, _ content: RecordContent
    ) -> RecordTable.Row {
        RecordTable.Row(
            zone: zone.id, type: type, position: position, hasFeed: hasFeed, header: header, content: content,
            body: RecordBody.compose(header, fields: content.json, zone: isPublic ? nil : context.request.zone),
            values: transaction.valuesStatement(type))
    }

    // MARK: The end

    private func judgeParent(_ header: RecordBody.Header) throws {
        if header.parent == header.recordName {
            throw ServerError.badRequest("parent of '\(Naming.shown(header.recordName))' cannot be the record itself")
        }
    }

    private mutating func note(_ row: RecordTable.Row, _ index: Int, countedRecords: Int, replacing bytes: Int) {
        lastPosition = row.position
        for link in row.content.links { written.append((index, link)) }
        if let parent = row.header.parent { written.append((index, .init(target: parent, kind: .parent))) }
        transaction.count(
            bytes: row.body.count - bytes, records: countedRecords, owner: context.request.zone.owner)
    }

    /// Operations whose references do not hold now that everything is written.
    func brokenLinks(limit: Int) throws -> [Int: ServerError] {
        var broken: [Int: ServerError] = [:]
        for (index, link) in written where broken[index] == nil {
            broken[index] = try LinkTable.fault(of: link, zone: zone.id, limit: limit, db)
        }
        for (index, name) in deleted where broken[index] == nil {
            broken[index] = try LinkTable.faultOfDeleting(name, zone: zone.id, db)
        }
        return broken
    }

    func finish() {
        if let lastPosition { transaction.touch(zone: zone.id, at: lastPosition) }
    }
}
