package import CloudModel
import CloudSQL

/// Metadata of a share for a holder of its link (reference B §9.6).
package struct ShareMetadata: Sendable {
    package let shortGUID: String
    package let zone: ZoneID
    package let standing: ShareRelation
    package let publicPermission: SharePermission
    /// The owner's entry.
    package let owner: Participant
    /// The viewer's entry; nil if the share has none.
    package let viewer: Participant?
    package let shareName: String
    /// The share record, filled in for the viewer.
    package let share: RecordBody
    /// Nil for a zone-wide share.
    package let rootName: String?
    /// The root record in stored form; hides a parent that the viewer cannot see.
    package let root: RecordBody?

    package var isZoneWide: Bool { rootName == nil }

    static func find(_ handle: String, as viewer: Person?, _ db: SQLConnection) throws -> ShareMetadata {
        let (row, standing) = try ShareRow.visible(handle, to: viewer, db)
        return try ShareMetadata(row, standing, for: viewer, db)
    }

    init(_ row: ShareRow, _ standing: ShareRelation, for person: Person?, _ db: SQLConnection) throws {
        let viewer: Participant? =
            switch standing {
            case .owner: row.state.owner
            case .member(let entry), .invited(let entry): entry
            case .open, .unverified, .mayAsk, .stranger: nil
            }
        let record = try Self.record(row.record, db)
        let root = try row.root.map { try Self.record($0, db) }
        shortGUID = row.shortGUID
        zone = try row.zoneID(db)
        self.standing = standing
        publicPermission = row.state.publicPermission
        owner = row.state.owner
        self.viewer = viewer
        shareName = record.name
        share = record.body.filled(with: row.state, for: viewer)
        rootName = root?.name
        self.root = try row.root.flatMap { id in
            guard let body = root?.body, standing != .owner else { return root?.body }
            return try ShareFilling.hidingParent(body, record: id, from: person?.userRecordName, db)
        }
    }

    private static func record(_ id: Int64, _ db: SQLConnection) throws -> (name: String, body: RecordBody) {
        try db.first("SELECT name, body FROM records WHERE id = ?", .integer(id)) {
            ($0.text(0), try $0.wholeRecord(1))
        }
            ?? ("", RecordBody([]))
    }
}

extension ShareRow {
    /// Finds the share of a handle and checks that the viewer may read the share.
    ///
    /// - Throws: `NOT_FOUND` if the viewer may not know of the share, `ACCESS_DENIED` if the viewer may know of it but not
    ///   read it (reference B §9.8).
    static func visible(
        _ handle: String, to viewer: Person?, _ db: SQLConnection
    ) throws -> (row: ShareRow, standing: ShareRelation) {
        guard let (row, link) = try ShareTable.find(handle: handle, db) else { throw ShareState.notFound }
        let standing = row.state.standing(of: viewer, link: link)
        guard !standing.seesShare else { return (row, standing) }
        switch standing {
        case .unverified(let matches):
            throw ShareRefusal(
                error: ServerError(
                    .accessDenied, "the invitation is for an address you have not verified", .share(.unverifiedAddress)),
                matches: matches)
        case .mayAsk:
            throw ServerError(
                .accessDenied, "you are not invited to this share; ask its owner for access", .share(.mayAsk))
        default: throw ShareState.notFound
        }
    }

    func zoneID(_ db: SQLConnection) throws -> ZoneID {
        try db.first("SELECT name, owner FROM zones WHERE id = ?", .integer(zone)) {
            ZoneID(name: $0.text(0), owner: $0.text(1))
        } ?? ZoneID(name: ZoneID.defaultName, owner: "")
    }
}

/// A share refused to a person whose invited address is not verified.
package struct ShareRefusal: Error {
    package let error: ServerError
    /// Invitations of the person's unverified addresses.
    package let matches: [Participant]
}
