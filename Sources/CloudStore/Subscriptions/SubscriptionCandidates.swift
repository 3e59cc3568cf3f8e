import CloudModel
import GRDB

/// A query subscription that a change may be about, by its record type, zone, reasons and one value.
struct SubscriptionCandidate {
    let id: Int64
    let user: String
    let name: String
    let firesOnce: Bool
    let query: [UInt8]
    let info: [UInt8]?
}

/// Finds those by index, so that the others cost nothing, however many they are.
enum SubscriptionCandidates {
    /// - Parameter fields: those that subscriptions to the record's type are found by.
    static func statement(_ change: RecordChange, fields: [Int64]) -> (sql: String, values: [SQLValue]) {
        let isPublic = change.zoneID.owner == ZoneID.publicOwner
        let index = isPublic ? "subscriptions_public" : "subscriptions_private"
        let common = """
            s.kind = 1 AND s.scope = \(isPublic ? 2 : 1) AND s.record_type = ?1 AND s.zone IN (0, ?2)
                AND s.fires_on & ?3 <> 0\(isPublic ? "" : " AND s.user = ?5")
            """
        let columns = "s.id, s.user, s.name, s.fires_once, s.query, s.info"
        let selects = fields.map { field in
            if field == 0 {
                return
                    "SELECT \(columns) FROM subscriptions s INDEXED BY \(index) WHERE s.bucket_field = 0 AND \(common)"
            }
            // The plus takes the column's affinity away, which would keep the index from being used.
            return """
                SELECT \(columns) FROM \(SchemaTables.table(change.type)) v CROSS JOIN subscriptions s INDEXED BY \(index)
                WHERE v.zone = ?2 AND v.id = ?4 AND s.bucket_field = \(field)
                    AND s.bucket_value = +v.\(SubscriptionBucket.column(of: field)) AND \(common)
                """
        }
        var values: [SQLValue] = [
            .integer(change.type.id), .integer(change.zone), .integer(change.reason.rawValue),
        ]
        if !isPublic || fields != [0] { values.append(.integer(change.record)) }
        if !isPublic { values.append(.text(change.zoneID.owner)) }
        return (selects.joined(separator: "\nUNION ALL\n"), values)
    }

    static func find(
        _ change: RecordChange, fields: [Int64], _ db: Database, _ cache: StatementCache
    ) throws -> [SubscriptionCandidate] {
        let (sql, values) = statement(change, fields: fields)
        var found: [SubscriptionCandidate] = []
        try db.each(sql, values, cache: cache) {
            found.append(
                SubscriptionCandidate(
                    id: $0.integer(0), user: $0.text(1), name: $0.text(2), firesOnce: $0.integer(3) != 0,
                    query: $0.blob(4), info: $0.isNull(5) ? nil : $0.blob(5)))
            return true
        }
        return found
    }
}
