import CloudEngine
import CloudModel
import CloudSQL

/// Begins, changes and ends shares, in the transaction of all dependent changes (reference B §9).
struct ShareWriter {
    let zone: ZoneID
    let zoneID: Int64
    /// The user who makes the changes.
    let user: String
    let now: Timestamp
    let limits: Limits
    let shortGUIDs: ShortGUID
    let transaction: WriteTransaction

    private var db: SQLConnection { transaction.db }
    private var restamp: Restamp {
        Restamp(zone: zone, zoneID: zoneID, user: user, now: now, transaction: transaction)
    }
    private var marks: ShareVisibility { ShareVisibility(zone: zoneID, transaction: transaction) }

    /// A link's token begins with the routing key, like a short GUID, so that its page is found.
    var identifiers: ShareState.Identifiers {
        ShareState.Identifiers(participant: ShareState.Identifiers.newParticipant, link: shortGUIDs.make)
    }

    // MARK: Beginning

    /// The root record of a new share; nil for a zone-wide share.
    ///
    /// - Throws: the reason why the record or zone cannot be shared (reference B §9.1, §9.2).
    func root(of change: ShareChange, shareName: String) throws -> StoredRecord? {
        let others = try ShareTable.find(zone: zoneID, db)
        if shareName == ShareName.zoneWide {
            guard others.isEmpty else {
                throw ServerError.badRequest(
                    "the zone cannot be shared as a whole: \(others.count) of its records are shared already",
                    .share(.sharedAlready))
            }
            return nil
        }
        guard let wanted = change.root else {
            throw ServerError.badRequest("forRecord is missing: it names the record to share and its recordChangeTag")
        }
        guard let root = try RecordTable.find(wanted.recordName, zone: zoneID, db), root.type != nil else {
            throw ServerError(.notFound, "Cannot share - no such record exists to share", .missing(.record))
        }
        let reason: Reason = "record '\(Naming.shown(wanted.recordName))' cannot be shared: "
        if others.contains(where: \.isZoneWide) {
            throw ServerError.badRequest(reason + "its whole zone is shared", .share(.sharedAlready))
        }
        if root.share != nil {
            throw ServerError.badRequest(reason + "it, or a record above it, is shared already", .share(.sharedAlready))
        }
        if try sharesBelow(wanted.recordName) {
            throw ServerError.badRequest(reason + "a record below it is shared already", .share(.sharedAlready))
        }
        return root
    }

    private func sharesBelow(_ name: String) throws -> Bool {
        var names = [name]
        var seen: Set<Int64> = []
        while let next = names.popLast() {
            var isShared = false
            try db.each(
                """
                SELECT r.id, r.name, r.share FROM record_references l /*!CROSS*/ JOIN records r ON r.id = l.source
                WHERE l.zone = ? AND l.target = ? AND l.kind = 3
                """,
                [.integer(zoneID), .text(next)]
            ) {
                isShared = isShared || !$0.isNull(2)
                if seen.insert($0.integer(0)).inserted { names.append($0.text(1)) }
                return true
            }
            if isShared { return true }
        }
        return false
    }

    /// The permanent short GUID of a root or a zone; a new short GUID if there is none with this environment's routing key.
    func shortGUID(root: StoredRecord?) throws -> String {
        let known =
            if let root {
                try ParsedBody(RecordTable.body(of: root.id, db)).shortGUID
            } else {
                try db.first("SELECT short_guid FROM zones WHERE id = ?", .integer(zoneID)) {
                    $0.isNull(0) ? nil : $0.text(0)
                } ?? nil
            }
        if let known, shortGUIDs.leadsHere(known) { return known }
        return shortGUIDs.make()
    }

    /// Stores a new share after its share record: the share's row, the root's fields, marks and members.
    func begin(
        record: Int64, name: String, root: (record: StoredRecord, name: String)?, shortGUID: String, state: ShareState
    ) throws {
        let share = try ShareTable.insert(
            zone: zoneID, record: record, root: root?.record.id, shortGUID: shortGUID,
            position: transaction.nextPosition(), state: state, db)
        if let root {
            try restamp.run(root.name) {
                $0.share = name
                $0.shortGUID = shortGUID
            }
            try marks.mark(.init(id: root.record.id, name: root.name, share: nil), share.id)
            try marks.mark(.init(id: record, name: name, share: nil), share.id)
        } else {
            try db.run("UPDATE zones SET short_guid = ? WHERE id = ?", .text(shortGUID), .integer(zoneID))
        }
        try MemberTable.update(share, in: zone, transaction)
        transaction.tellPages(.share(share.id))
    }

    // MARK: Changing

    /// Stores a share's state and members. The caller gives the share record a new change tag.
    func store(_ share: ShareRow) throws {
        try ShareTable.update(share, db)
        try MemberTable.update(share, in: zone, transaction)
        transaction.zones.touch(zoneID, at: try transaction.nextPosition())
    }

    /// Like ``store(_:)``, for a change that does not come from the share record: gives it a new change tag, so that all
    /// members' feeds report it.
    func change(_ share: ShareRow, to state: ShareState) throws {
        guard state != share.state else { return }
        var share = share
        share.state = state
        try restamp.run(name(of: share.record))
        try store(share)
    }

    // MARK: Ending

    /// Ends a share whose record is to be deleted; its members lose access.
    ///
    /// - Parameter deletesRoot: true if the root is deleted as well: it then gets no new change tag and joins no other share.
    /// - Returns: the names of records that become visible through another share, the share of the root's parent.
    func end(_ share: ShareRow, deletesRoot: Bool = false) throws -> [String] {
        try MemberTable.clear(share, transaction)
        try ShareTable.delete(share.id, db)
        guard !deletesRoot, let root = try share.root.map(name(of:)) else { return [] }
        // A damaged root cannot be rewritten; it stays until a client replaces or deletes it.
        do { try restamp.run(root) { $0.share = nil } } catch let error as ServerError where error == .damagedRecord {}
        return try rejoin(root)
    }

    /// Makes the records of an ended share visible through the share of the root's parent.
    private func rejoin(_ root: String) throws -> [String] {
        let parent = try db.first(
            "SELECT l.target FROM records r /*!CROSS*/ JOIN record_references l ON l.source = r.id AND l.kind = 3 "
                + "WHERE r.zone = ? AND r.name = ?", .integer(zoneID), .text(root)
        ) { $0.text(0) }
        guard let parent else { return [] }
        var shown: [String] = []
        _ = try marks.update(root, parent: parent, isNew: false, sees: { _ in true }, shown: &shown)
        return shown
    }

    func name(of record: Int64) throws -> String {
        try db.first("SELECT name FROM records WHERE id = ?", .integer(record)) { $0.text(0) } ?? ""
    }
}
