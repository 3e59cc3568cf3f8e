import CloudModel
import CloudSQL

/// Operations of records/modify on share records and shared records (reference B §9.2–§9.5).
extension Batch {
    private var writer: ShareWriter {
        ShareWriter(
            zone: context.request.zone, zoneID: zone.id, user: context.request.caller.userRecordName ?? "",
            now: context.now, limits: context.request.limits, shortGUIDs: context.shortGUIDs, transaction: transaction)
    }

    /// Returns true if the operation creates a share. A zone-wide share's name is reserved.
    func isShare(_ operation: RecordOperation, _ name: String) throws -> Bool {
        let isShare = operation.recordType == RecordType.share
        guard isShare || name != ShareName.zoneWide else {
            throw ServerError.badRequest("recordName '\(name)' is for a record of type '\(known: RecordType.share)'")
        }
        return isShare
    }

    mutating func insertShare(
        _ operation: RecordOperation, name: String, index: Int, tombstone: StoredRecord?
    ) throws -> RecordBody {
        guard context.request.zone.isCustom, !isPublic else {
            throw ServerError.badRequest(
                "only records of a custom zone of the private database can be shared", .share(.cannotBeShared))
        }
        guard view.memberships == nil else {
            throw ServerError(.accessDenied, "CREATE operation not permitted", .share(.readOnly))
        }
        guard context.request.atomic else {
            throw ServerError.badRequest("You can only create a share with atomic=true")
        }
        guard case .keep = operation.parent else { throw ServerError.badRequest("a share record has no parent") }
        try updateMoved()
        let change = operation.share ?? ShareChange()
        let root = try writer.root(of: change, shareName: name)
        if let root, let wanted = change.root { try judgeTag(wanted, root) }
        let owner =
            context.request.person?.identity ?? ShareIdentity(userRecordName: context.request.caller.userRecordName)
        let state = try ShareState(owner: owner, ownerID: writer.identifiers.participant())
            .applying(change, limits: context.request.limits, identifiers: writer.identifiers)
        let shortGUID = try writer.shortGUID(root: root)
        let (id, body) = try insert(operation, name: name, index: index, tombstone: tombstone, shortGUID: shortGUID)
        let rootName = root == nil ? nil : change.root?.recordName
        try writer.begin(
            record: id, name: name, root: root.flatMap { record in rootName.map { (record, $0) } },
            shortGUID: shortGUID, state: state)
        if let rootName { tags.restamped.insert(ExactName(rootName)) }
        return body.filled(with: state, for: state.owner)
    }

    /// Checks the root's tag: the current tag, or the tag from before this batch (reference B §9.2).
    private func judgeTag(_ wanted: ShareChange.Root, _ root: StoredRecord) throws {
        let before = tags.before[ExactName(wanted.recordName)]
        if case .some(.none) = before { return }
        guard let tag = wanted.changeTag else {
            throw ServerError.badRequest("forRecord.recordChangeTag is missing: it is that of the record to share")
        }
        guard tag == transaction.tag(root.tag) || tag == before ?? nil else {
            throw ServerError(
                .conflict, "client oplock error updating record",
                .conflict(ConflictCheck(sent: tag, stored: transaction.tag(root.tag))))
        }
    }

    mutating func overwriteShare(
        _ live: StoredRecord, _ type: RecordType, _ operation: RecordOperation, name: String, index: Int
    ) throws -> RecordBody {
        guard view.isManager(of: live.share) else {
            throw ServerError(
                .accessDenied, "WRITE operation not permitted: the owner and administrators change a share",
                .share(.managersOnly))
        }
        guard case .keep = operation.parent else { throw ServerError.badRequest("a share record has no parent") }
        guard var share = try ShareTable.find(record: live.id, db) else {
            throw ServerError(.notFound, "Record not found", .missing(.record))
        }
        if let change = operation.share {
            share.state = try share.state.applying(
                change, limits: context.request.limits, identifiers: writer.identifiers)
        }
        let body = try overwrite(live, type, operation, name: name, index: index)
        try writer.store(share)
        let reader = context.request.caller.userRecordName.flatMap(share.state.participant)
        return body.filled(with: share.state, for: reader)
    }

    /// A member's deletion of the share record only removes the member from the share (reference B §9.9).
    mutating func leaveShare(_ live: StoredRecord) throws {
        guard let user = context.request.caller.userRecordName, let share = try ShareTable.find(record: live.id, db)
        else { return }
        try writer.change(share, to: share.state.leaving(user))
        view.memberships?.removeAll { $0.share == share.id }
    }

    /// Ends the shares of records before their deletion.
    ///
    /// - Returns: the names of share records to delete with their roots; nil if no share ended.
    mutating func endShares(of records: [NamedStoredRecord], by index: Int) throws -> [String]? {
        let isShare = records.map { transaction.catalog.type(id: $0.record.type)?.name == RecordType.share }
        let marked = zip(records, isShare).filter { !$1 && $0.record.share != nil }.map { $0.0.record.id }
        let roots = marked.isEmpty ? [] : try ShareTable.roots(among: marked, db)
        try requireDeletable(records, isShare: isShare, roots: roots)
        var along: [String]?
        for (item, isShare) in zip(records, isShare) {
            if isShare {
                guard let share = try ShareTable.find(record: item.record.id, db) else { continue }
                along = along ?? []
                if let root = share.root, let before = try tag(of: root) {
                    let rootName = ExactName(try writer.name(of: root))
                    if tags.before[rootName] == nil { tags.before[rootName] = before }
                    tags.restamped.insert(rootName)
                }
                addRevealed(try writer.end(share), by: index)
            } else if roots.contains(item.record.id), let share = try ShareTable.find(root: item.record.id, db) {
                along = (along ?? []) + [try writer.name(of: share.record)]
                _ = try writer.end(share, deletesRoot: true)
            }
        }
        return along
    }

    /// Checks that a member may delete the records, since dependents may lie outside the member's shares.
    private func requireDeletable(_ records: [NamedStoredRecord], isShare: [Bool], roots: Set<Int64>) throws {
        guard view.memberships != nil else { return }
        guard zip(records, isShare).allSatisfy({ !$1 && view.mayWrite($0.record.share) }) else {
            throw ServerError(
                .accessDenied, "WRITE operation not permitted: this would delete records that are not shared with you",
                .share(.outside))
        }
        guard roots.isEmpty else {
            throw ServerError(
                .accessDenied, "WRITE operation not permitted: only the owner can delete the root of a share",
                .share(.ownerOnly))
        }
    }

    private func tag(of record: Int64) throws -> String? {
        try db.first("SELECT tag FROM records WHERE id = ?", .integer(record)) { transaction.tag($0.integer(0)) }
    }

    /// Updates outcomes for the end of the batch: records with a later new tag get their latest body, and records deleted
    /// along with others count as deleted.
    func latest(_ outcomes: [OperationOutcome]) throws -> [OperationOutcome] {
        let gone = deletions.names.union(deletions.along.map(ExactName.init))
        guard !tags.restamped.isEmpty || !gone.isEmpty else { return outcomes }
        var latest = outcomes
        for (index, name, _) in saved where tags.restamped.contains(ExactName(name)) || gone.contains(ExactName(name)) {
            guard case .saved = outcomes[index] else { continue }
            guard let record = try RecordTable.find(name, zone: zone.id, db), record.type != nil else {
                latest[index] = .deleted(recordName: name)
                continue
            }
            if tags.restamped.contains(ExactName(name)) {
                latest[index] = .saved(try RecordTable.body(of: record.id, db))
            }
        }
        return latest
    }
}
