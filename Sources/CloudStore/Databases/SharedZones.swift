import CloudModel
import CloudSQL

/// A user's shared database: the zones of others in which the user sees records (reference B §9.9).
///
/// A zone counts as changed for a user only if something visible to the user has changed.
enum SharedZones {
    private struct Row {
        let zone: ZoneID
        let id: Int64
        let position: Int64
        let isDeleted: Bool
    }

    static func list(user: String, tokens: SyncTokens, _ db: SQLConnection) throws -> [ZoneState] {
        let epochs = Epochs(try EpochTable.all(db))
        return try rows(user, db).filter { !$0.isDeleted }
            .sorted { ($0.zone.owner, $0.zone.name) < ($1.zone.owner, $1.zone.name) }
            .map { ZoneState(zone: $0.zone, syncToken: try token($0.id, $0.position, tokens, epochs)) }
    }

    static func state(
        _ zone: ZoneID, for caller: Caller, tokens: SyncTokens, _ db: SQLConnection
    ) throws -> ZoneState? {
        guard let user = caller.userRecordName, zone.isStorable, let row = try rows(user, in: zone, db).first,
            !row.isDeleted
        else { return nil }
        return ZoneState(zone: zone, syncToken: try token(row.id, row.position, tokens, db))
    }

    /// Zones that appeared, disappeared or changed since the token, oldest change first.
    static func changes(
        user: String, syncToken: String?, limit: Int, tokens: SyncTokens, _ db: SQLConnection
    ) throws -> DatabaseChangesPage {
        let scope = "shared with \(user)"
        let seen = try syncToken.map { try tokens.position(owner: scope, $0, db) } ?? 0
        let changed = try rows(user, db).filter { $0.position > seen && !($0.isDeleted && seen == 0) }
            .sorted { $0.position < $1.position }
        let page = changed.prefix(limit)
        let epochs = Epochs(try EpochTable.all(db))
        return DatabaseChangesPage(
            zones: try page.map {
                .init(zone: $0.zone, deleted: $0.isDeleted, syncToken: try token($0.id, $0.position, tokens, epochs))
            },
            syncToken: try tokens.database(owner: scope, at: page.last?.position ?? seen, epochs),
            moreComing: changed.count > page.count)
    }

    private static func token(
        _ zone: Int64, _ position: Int64, _ tokens: SyncTokens, _ epochs: some EpochSource
    ) throws -> String {
        try tokens.sharedZone(zone, at: SharedPosition(position: position, number: position), epochs)
    }

    /// Reads a row per zone shared with the user, regardless of the zones' sizes.
    private static func rows(_ user: String, in zone: ZoneID? = nil, _ db: SQLConnection) throws -> [Row] {
        var rows: [Row] = []
        try db.each(
            """
            SELECT k.owner, k.name, k.zone, k.position, k.deleted, (
                SELECT max(CASE m.is_zone_wide WHEN 1 THEN z.position ELSE s.position END)
                FROM members m /*!CROSS*/ JOIN shares s ON s.id = m.share /*!CROSS*/ JOIN zones z ON z.id = m.zone
                WHERE m.user = k.user AND m.zone = k.zone)
            FROM shared_zones k WHERE k.user = ?\(zone == nil ? "" : " AND k.owner = ? AND k.name = ?")
            """,
            [.text(user)] + (zone.map { [.text($0.owner), .text($0.name)] } ?? [])
        ) {
            let isDeleted = $0.integer(4) != 0
            rows.append(
                Row(
                    zone: ZoneID(name: $0.text(1), owner: $0.text(0)), id: $0.integer(2),
                    position: isDeleted ? $0.integer(3) : max($0.integer(3), $0.integer(5)), isDeleted: isDeleted))
            return true
        }
        return rows
    }
}
