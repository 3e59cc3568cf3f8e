import CloudEngine
import CloudModel
import CloudSQL

/// The operations of one request during writing, and the checks left for the end.
struct Batch {
    let context: ModifyRecords
    let transaction: WriteTransaction
    let zone: ZoneRow
    /// The part of the zone that the caller sees and may write.
    var view: ZoneView
    var db: SQLConnection { transaction.db }
    var lastPosition: Int64?
    /// Written records, their references, and deleted records, each with its operation's index.
    var saved: [(index: Int, name: String, isNew: Bool)] = []
    var written: [(index: Int, holder: String, reference: RecordContent.Reference)] = []
    var deletions = Deletions()
    var moves = Moves()
    var tags = Tags()
    /// Operations whose record name belongs to a record outside the caller's view.
    var taken: [Int] = []
    /// Existing records that came into a share, each with its operation's index.
    var revealing: [(index: Int, names: [String])] = []

    init(_ context: ModifyRecords, _ transaction: WriteTransaction) throws {
        self.context = context
        self.transaction = transaction
        let request = context.request
        if ZoneView.isOwn(request.zone, request.caller) {
            zone = try transaction.zones.open(request.zone)
            view = .whole(zone)
        } else {
            guard let seen = try ZoneView.find(request.zone, for: request.caller, transaction.db) else {
                throw ServerError(.zoneNotFound, "Zone not found", .missing(.zone))
            }
            zone = seen.row
            view = seen
            if let access = seen.access { transaction.trace?.note(.share(access)) }
        }
        guard context.names.count > 1 else { return }
        // Before the prefetch, which skips records with deferred writes: this flushes deferred writes.
        let doomed = context.deletedNames
        if doomed.count > 1 {
            deletions.hangingAhead = try deletion.hanging(on: doomed)
            deletions.hangsTooMuch = deletions.hangingAhead == nil
        }
        try transaction.prefetched.fetch(context.recordNames, zone: zone.id, db)
    }

    var hasFeed: Bool { context.request.zone.isCustom }
    var isPublic: Bool { context.request.zone.owner == ZoneID.publicOwner }
    private var stamp: RecordBody.Stamp {
        transaction.stamp(by: context.request.caller.userRecordName ?? ZoneID.publicOwner, at: context.now)
    }
    private var claims: AssetClaims {
        AssetClaims(
            owner: context.request.zone.owner, user: context.request.caller.userRecordName ?? ZoneID.publicOwner,
            now: context.now)
    }

    // MARK: One operation

    mutating func perform(_ operation: RecordOperation, name: String, index: Int) throws -> OperationOutcome {
        var found = try transaction.prefetched.find(name, zone: zone.id, db)
        if let stale = found, transaction.catalog.isRemoved(type: stale.type) {
            deletions.along += try removal.deleteAll([name], in: context.request.zone, zone.id)
            found = try RecordTable.find(name, zone: zone.id, db)
        }
        // A record that is not shared with the caller counts as missing, but its name is taken.
        let live = found.flatMap { $0.type == nil || !view.sees($0.share) ? nil : $0 }
        let type = transaction.catalog.type(id: live?.type)
        try requirePermission(for: operation, live: live, type)
        let stored = live.map { transaction.tag($0.tag) }
        switch operation.type.verdict(stored: stored, sent: tags.sent(by: operation, name, stored: stored)) {
        case .refuse(let error):
            if operation.type == .delete, live == nil, wasDeletedAlong(name) { return .deleted(recordName: name) }
            throw try explained(error, operation, live, type, name)
        case .nothing:
            return .deleted(recordName: name)
        case .insert:
            try view.requireCreating()
            if try isShare(operation, name) {
                return .saved(try insertShare(operation, name: name, index: index, tombstone: found))
            }
            if live == nil, let found, found.type != nil {
                try insertInPlace(of: name, operation, index: index)
                // A placeholder outcome: the findings refuse the operation, and only the name is used.
                return .deleted(recordName: name)
            }
            return .saved(try insert(operation, name: name, index: index, tombstone: found).body)
        case .overwrite:
            guard let live, let type else { throw ServerError(.notFound, "Record not found", .missing(.record)) }
            if type.name == RecordType.share {
                return .saved(try overwriteShare(live, type, operation, name: name, index: index))
            }
            try view.requireWritable(live.share)
            return .saved(try overwrite(live, type, operation, name: name, index: index))
        case .delete:
            guard let live, let type else { return .deleted(recordName: name) }
            if type.name == RecordType.share, view.memberships != nil {
                try leaveShare(live)
                return .deleted(recordName: name)
            }
            try view.requireWritable(live.share)
            if type.name == RecordType.users {
                throw ServerError(
                    .accessDenied, "WRITE operation not permitted: user records cannot be deleted", .schema(.builtIn))
            }
            try delete(live, name: name, index: index)
            return .deleted(recordName: name)
        }
    }

    private var removal: ImpliedDeletion {
        ImpliedDeletion(
            transaction: transaction, now: context.now, limits: context.request.limits, shortGUIDs: context.shortGUIDs)
    }

    /// Returns true if another operation of the batch has already deleted the record.
    private func wasDeletedAlong(_ name: String) -> Bool { deletions.names.contains(ExactName(name)) }

    /// - Parameters:
    ///   - name: the record name to write.
    ///   - wanted: the record name in the operation, if different.
    ///   - shortGUID: the short GUID to set, even if the operation requests none.
    mutating func insert(
        _ operation: RecordOperation, name: String, wanted: String? = nil, index: Int, tombstone: StoredRecord?,
        shortGUID: String? = nil
    ) throws -> (id: Int64, body: RecordBody) {
        guard let typeName = operation.recordType else {
            throw ServerError.badRequest("recordType is required to create a record")
        }
        guard typeName != RecordType.users else {
            throw ServerError(
                .accessDenied, "CREATE operation not permitted: user records are made by the server", .schema(.builtIn))
        }
        if let fault = Naming.fault(
            recordName: wanted ?? name, limit: context.request.limits.recordNameCharacters, isNew: true)
        {
            throw ServerError.badRequest(fault)
        }
        let (type, fields, content) = try fields(of: operation, type: typeName, index: index)
        try claims.check(fields, old: nil, db)
        let complete = try content ?? newContent(fields, untyped: operation.untypedLists(type))
        let position = try transaction.nextPosition()
        let stamp = stamp
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: transaction.tag(position), created: stamp,
            modified: stamp)
        if case .set(let parent) = operation.parent { header.parent = parent }
        header.shortGUID = shortGUID
        if operation.createShortGUID && shortGUID == nil { header.shortGUID = context.shortGUIDs.make() }
        try judgeParent(header)
        if let tombstone {
            if let share = tombstone.share { try marks.depart(name, from: share) }
            try RecordTable.deleteTombstone(tombstone, db)
        }
        let row = row(type, position, header, complete)
        if !complete.assets.isEmpty {
            try transaction.usage.willChangeAssets(of: context.request.zone.owner, transaction)
        }
        let id = try RecordTable.insert(row, transaction)
        try announceCreation(of: id, name, type)
        tellPages(id, name, complete)
        record(row, index, replacing: nil)
        if let parent = header.parent { moves.new.append(Move(index: index, name: name, parent: parent, isNew: true)) }
        return (id, row.body)
    }

    /// Tells pages of a record with files.
    private func tellPages(_ id: Int64, _ name: String, _ content: RecordContent) {
        if !content.assets.isEmpty { transaction.tellPages(isPublic ? .published(name) : .record(id)) }
    }

    private func announceCreation(of id: Int64, _ name: String, _ type: RecordType) throws {
        let zone = context.request.zone
        if zone.owner == ZoneID.publicOwner { try transaction.addPublished(name, type: type.name) }
        try transaction.didChange(
            ChangedRecord(reason: .create, id: id, name: name, type: type, zone: zone, zoneRow: self.zone.id))
    }

    mutating func overwrite(
        _ live: StoredRecord, _ type: RecordType, _ operation: RecordOperation, name: String, index: Int
    ) throws -> RecordBody {
        if let given = operation.recordType, given != type.name {
            throw ServerError.badRequest(
                "record '\(Naming.shown(name))' is of type '\(known: type.name)', not '\(Naming.shown(given))'",
                .schema(.type(field: "recordType")))
        }
        let old = try ParsedBody(
            live, name: name, type, isReplaced: operation.type.clearsUnnamedFields, transaction)
        let (grown, named, content) = try fields(of: operation, type: type.name, index: index)
        let isUser = type.name == RecordType.users
        let fields = isUser ? try OwnRoles.keeping(old, in: named, of: grown, zone: context.request.zone) : named
        try claims.check(fields, old: old.fields, db)
        // The prepared content lacks the roles that a user record keeps.
        let complete =
            isUser
            ? try userContent(old, grown, fields, operation) : try content ?? merged(old, grown, fields, operation)
        let position = try transaction.nextPosition()
        var header = RecordBody.Header(
            recordName: name, recordType: type.name, changeTag: transaction.tag(position), created: old.created,
            modified: stamp,
            parent: old.parent, shortGUID: old.shortGUID, share: old.share)
        let hidesParent = try isHidden(parent: old.parent)
        switch operation.parent {
        // A member cannot clear a parent outside the member's view.
        case .keep where hidesParent, .clear where hidesParent: break
        case .keep: if operation.type.clearsUnnamedFields { header.parent = nil }
        case .set(let parent): header.parent = parent
        case .clear: header.parent = nil
        }
        if operation.createShortGUID && header.shortGUID == nil { header.shortGUID = context.shortGUIDs.make() }
        try judgeParent(header)
        if header.parent.map(ExactName.init) != old.parent.map(ExactName.init) { try move(live, header, index) }
        let row = row(grown, position, header, complete)
        if !complete.assets.isEmpty || live.beside.contains(.assets) {
            try transaction.usage.willChangeAssets(of: context.request.zone.owner, transaction)
        }
        try RecordTable.overwrite(live, old.isDamaged ? nil : old.fields, with: row, transaction)
        try transaction.didChange(
            ChangedRecord(
                reason: .update, id: live.id, name: name, type: grown, zone: context.request.zone, zoneRow: zone.id))
        tellPages(live.id, name, complete)
        record(row, index, replacing: live)
        if hidesParent { return row.body.withoutParent }
        return try mayRead(grown, live) ? row.body : ownPart(of: header, operation, grown, named)
    }

    /// Returns true if the caller cannot see the parent: a share root's parent may be outside the share.
    private func isHidden(parent: String?) throws -> Bool {
        guard view.memberships != nil, let parent else { return false }
        return try marks.find(parent).map { !view.sees($0.share) } ?? true
    }

    /// The response for callers with write access but no read access to a public record: only values of their own operation.
    private func ownPart(
        of header: RecordBody.Header, _ operation: RecordOperation, _ type: RecordType,
        _ fields: [(definition: FieldDefinition, value: FieldValue?)]
    ) throws -> RecordBody {
        var header = header
        if case .set = operation.parent {} else { header.parent = nil }
        if !operation.createShortGUID { header.shortGUID = nil }
        return RecordBody(
            header, fields: try newContent(fields, untyped: operation.untypedLists(type)).json, zone: nil)
    }

    private mutating func move(_ live: StoredRecord, _ header: RecordBody.Header, _ index: Int) throws {
        if view.memberships != nil, try ShareTable.isRoot(live.id, db) {
            throw ServerError(
                .accessDenied, "WRITE operation not permitted: only the owner can move the root of a share",
                .share(.ownerOnly))
        }
        moves.new.append(Move(index: index, name: header.recordName, parent: header.parent, isNew: false))
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
        throw ServerError(.badRequest, "recordType '\(Naming.shown(name))' is unknown", .schema(.unknownType))
    }

    private func prepare(_ operation: RecordOperation, _ name: String) -> Preparation {
        Preparation(
            operation, type: name, catalog: transaction.catalog, zone: context.request.zone,
            limits: context.request.limits)
    }

    private func growSchema(type name: String, by missing: [(name: String, type: FieldType)]) throws {
        try SchemaGrowth(
            environment: context.environment, isAllowed: context.request.growsSchema,
            limits: context.request.limits
        ).grow(type: name, by: missing, transaction)
    }

    func newContent(
        _ fields: [(definition: FieldDefinition, value: FieldValue?)], untyped: [String]
    ) throws -> RecordContent {
        try RecordContent(named: fields, untyped: untyped, zone: context.request.zone).within(context.request.limits)
    }

    /// Unnamed fields keep their values; named fields take the new value or are removed.
    func merged(
        _ old: ParsedBody, _ type: RecordType, _ changes: [(definition: FieldDefinition, value: FieldValue?)],
        _ operation: RecordOperation
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
        let mentioned = Set(operation.fields.map(\.name))
        let untyped = old.untypedLists(of: type).filter { !mentioned.contains($0) } + operation.untypedLists(type)
        return try RecordContent(fields, untyped: untyped, zone: context.request.zone).within(context.request.limits)
    }

    private func row(
        _ type: RecordType, _ position: Int64, _ header: RecordBody.Header, _ content: RecordContent
    ) -> RecordTable.Row {
        RecordTable.Row(
            zone: zone.id, type: type, position: position, hasFeed: hasFeed, header: header, content: content,
            body: RecordBody(header, fields: content.json, zone: isPublic ? nil : context.request.zone),
            values: transaction.schema.values(type))
    }

    // MARK: The end

    private func judgeParent(_ header: RecordBody.Header) throws {
        if header.recordName.isExactly(header.parent) {
            throw ServerError.badRequest("record '\(Naming.shown(header.recordName))' cannot be its own parent")
        }
    }

    private mutating func record(_ row: RecordTable.Row, _ index: Int, replacing old: StoredRecord?) {
        lastPosition = row.position
        let name = row.header.recordName
        saved.append((index, name, old == nil))
        for reference in row.content.references { written.append((index, name, reference)) }
        transaction.usage.add(
            bytes: row.body.size - (old?.bodySize ?? 0), records: old == nil ? 1 : 0,
            owner: context.request.zone.owner)
        if let share = old?.share { transaction.touch(share: share, at: row.position) }
        // Needed only by operations that share a record of the same batch.
        if context.request.changesShares {
            tags.before.updateValue(old.map { transaction.tag($0.tag) }, forKey: ExactName(name))
        }
    }
}
