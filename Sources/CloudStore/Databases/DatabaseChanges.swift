package import CloudModel
import CloudSQL

/// A page of changed zones, for changes/database and zones/changes (reference A §8.4, §8.5).
package struct DatabaseChangesPage: Sendable {
    package struct Zone: Hashable, Sendable {
        package let zone: ZoneID
        package let deleted: Bool
        package let syncToken: String
    }

    package let zones: [Zone]
    package let syncToken: String
    package let moreComing: Bool
}

enum DatabaseChanges {
    /// Custom zones of `owner` created, deleted or changed since the token, oldest change first.
    static func run(
        owner: String, syncToken: String?, limit: Int, tokens: SyncTokens, _ db: SQLConnection
    ) throws -> DatabaseChangesPage {
        let seen = try syncToken.map { try tokens.position(owner: owner, $0, db) } ?? 0
        let epochs = Epochs(try EpochTable.all(db))
        var zones: [DatabaseChangesPage.Zone] = []
        var last = seen
        var more = false
        try db.each(
            """
            SELECT id, name, position, deleted FROM zones WHERE owner = ? AND position > ? AND name <> ?
            \(seen == 0 ? "AND deleted = 0" : "")
            ORDER BY position
            """,
            [.text(owner), .integer(seen), .text(ZoneID.defaultName)]
        ) { row in
            if zones.count == limit {
                more = true
                return false
            }
            last = row.integer(2)
            let token = try tokens.zone(row.integer(0), at: .forward(last), epochs)
            zones.append(
                .init(zone: ZoneID(name: row.text(1), owner: owner), deleted: row.integer(3) != 0, syncToken: token))
            return true
        }
        return DatabaseChangesPage(
            zones: zones, syncToken: try tokens.database(owner: owner, at: last, epochs), moreComing: more)
    }
}
