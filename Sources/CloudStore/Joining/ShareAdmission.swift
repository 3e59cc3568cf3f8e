import CloudEngine
import CloudModel
import CloudSQL

/// A person's actions on a share by its link: accept, ask, decline, leave (reference B §9.7–§9.10).
struct ShareAdmission: Sendable {
    let person: Person
    /// The client's own name.
    let clientID: String?
    let now: Timestamp
    let limits: Limits
    let shortGUIDs: ShortGUID
    /// True if the caller has entered the password of the share's page.
    let knowsPassword: Bool

    func accept(_ handle: String, _ transaction: WriteTransaction) throws -> ShareMetadata {
        guard let (row, link) = try ShareTable.find(handle: handle, transaction.db) else { throw ShareState.notFound }
        try JoinGate(now: now, knowsPassword: knowsPassword).check(row, token: link, for: person, transaction.db)
        let state = try row.state.accepting(
            person, link: link, limits: limits, newID: ShareState.Identifiers.newParticipant)
        try writer(row, transaction).change(row, to: state)
        return try ShareMetadata.find(handle, as: person, transaction.db)
    }

    func ask(_ handle: String, _ transaction: WriteTransaction) throws {
        guard let (row, link) = try ShareTable.find(handle: handle, transaction.db) else { throw ShareState.notFound }
        try JoinGate(now: now).check(row, token: link, for: person, transaction.db)
        let state = try row.state.asking(person, link: link, limits: limits)
        try writer(row, transaction).change(row, to: state)
    }

    /// Declines an invitation. Creates no user record; the change of a person without a user record is attributed to the owner.
    ///
    /// - Returns: false if the person has no invitation.
    func decline(_ handle: String, _ transaction: WriteTransaction) throws -> Bool {
        guard let (row, link) = try ShareTable.find(handle: handle, transaction.db),
            let state = row.state.declining(person, link: link)
        else { return false }
        try writer(row, transaction).change(row, to: state)
        return true
    }

    /// - Returns: whether the person was a member of a share of the zone.
    func leave(_ zone: ZoneID, _ transaction: WriteTransaction) throws -> Bool {
        guard let user = person.userRecordName else { return false }
        let view = try ZoneView.find(zone, for: .user(recordName: user), transaction.db)
        guard let memberships = view?.memberships else { return false }
        for membership in memberships {
            guard let row = try ShareTable.find(id: membership.share, transaction.db) else { continue }
            try writer(row, transaction).change(row, to: row.state.leaving(user))
        }
        return true
    }

    /// The write context of the person's actions, for announcing the changes.
    var context: WriteContext {
        WriteContext(Requester(user: person.userRecordName, clientID: clientID), now: now, limits: limits)
    }

    private func writer(_ row: ShareRow, _ transaction: WriteTransaction) throws -> ShareWriter {
        ShareWriter(
            zone: try row.zoneID(transaction.db), zoneID: row.zone,
            user: person.userRecordName ?? row.state.owner.identity.userRecordName ?? "", now: now,
            limits: limits, shortGUIDs: shortGUIDs, transaction: transaction)
    }

    /// The share record, whose deletion ends the share for this person: the owner or a member.
    static func ended(_ handle: String, by person: Person, _ db: SQLConnection) throws -> (name: String, zone: ZoneID) {
        guard let (row, link) = try ShareTable.find(handle: handle, db) else { throw ShareState.notFound }
        switch row.state.standing(of: person, link: link) {
        case .owner, .member: break
        default: throw ShareState.notFound
        }
        let name = try db.first("SELECT name FROM records WHERE id = ?", .integer(row.record)) { $0.text(0) }
        return (name ?? "", try row.zoneID(db))
    }
}
