import CloudModel
import CloudSQL

/// A share through which a user sees another user's zone.
struct Membership: Hashable, Sendable {
    let share: Int64
    let isZoneWide: Bool
    let mayWrite: Bool
    let isAdministrator: Bool
    /// The change position at which the user joined.
    let since: Int64
    /// The position of the last change visible through the share.
    let position: Int64
}

/// A caller's view of a zone: the whole zone, or the records shared with the caller.
struct ZoneView: Hashable, Sendable {
    let row: ZoneRow
    /// Nil for the zone's owner, and in the public database.
    var memberships: [Membership]?

    /// The kind of sharing that gives access; nil for the caller's own zone and the public zone.
    var access: TrailStep.ShareAccess? {
        memberships.map { $0.contains(where: \.isZoneWide) ? .zone : .records }
    }

    /// - Throws: `ACCESS_DENIED` for a caller who may only read.
    func requireCreating() throws {
        guard memberships?.contains(where: \.mayWrite) ?? true else {
            throw ServerError(.accessDenied, "CREATE operation not permitted", .share(.readOnly))
        }
    }

    /// - Throws: `ACCESS_DENIED` for a record of a share that the caller may only read.
    func requireWritable(_ share: Int64?) throws {
        guard mayWrite(share) else {
            throw ServerError(.accessDenied, "WRITE operation not permitted", .share(.readOnly))
        }
    }

    static func whole(_ row: ZoneRow) -> ZoneView { ZoneView(row: row, memberships: nil) }

    /// The caller's view of a zone; nil if the caller sees nothing of it, whether or not the zone exists.
    ///
    /// Runs one statement for every caller, because memberships are found with the zone's row.
    static func find(_ zone: ZoneID, for caller: Caller, _ db: SQLConnection) throws -> ZoneView? {
        if isOwn(zone, caller) { return try ZoneTable.find(zone, db).map(whole) }
        guard case .user(let user) = caller, zone.isStorable else { return nil }
        var row: ZoneRow?
        var memberships: [Membership] = []
        try db.each(
            """
            SELECT z.id, z.position, m.share, m.is_zone_wide, m.may_write, m.is_administrator, m.since,
                CASE m.is_zone_wide WHEN 1 THEN z.position ELSE s.position END
            FROM zones z /*!CROSS*/ JOIN members m ON m.user = ? AND m.zone = z.id
            /*!CROSS*/ JOIN shares s ON s.id = m.share
            WHERE z.owner = ? AND z.name = ? AND z.deleted = 0
            """,
            [.text(user), .text(zone.owner), .text(zone.name)]
        ) {
            row = ZoneRow(id: $0.integer(0), position: $0.integer(1))
            memberships.append(
                Membership(
                    share: $0.integer(2), isZoneWide: $0.integer(3) != 0, mayWrite: $0.integer(4) != 0,
                    isAdministrator: $0.integer(5) != 0, since: $0.integer(6), position: $0.integer(7)))
            return true
        }
        return row.map { ZoneView(row: $0, memberships: memberships) }
    }

    /// Returns true if the caller needs no membership: in the public zone, whose records have roles, and in the caller's own
    /// zones.
    static func isOwn(_ zone: ZoneID, _ caller: Caller) -> Bool {
        zone.owner == ZoneID.publicOwner || zone.owner.isExactly(caller.userRecordName)
    }

    /// - Parameter share: the hierarchy share of a record; nil for none.
    func sees(_ share: Int64?) -> Bool { membership(share, of: memberships) != nil || memberships == nil }

    /// Returns true if the caller may write records of this share.
    func mayWrite(_ share: Int64?) -> Bool {
        memberships == nil || membership(share, of: memberships)?.mayWrite == true
    }

    func isManager(of share: Int64?) -> Bool {
        memberships == nil || membership(share, of: memberships)?.isAdministrator == true
    }

    private func membership(_ share: Int64?, of memberships: [Membership]?) -> Membership? {
        memberships?.first { $0.isZoneWide || $0.share == share }
    }
}
