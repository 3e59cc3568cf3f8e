import CloudModel
import CloudSQL

/// A query subscription that may match a change, by its record type, zone, reasons and bucket.
struct SubscriptionCandidate {
    let id: Int64
    let user: String
    let name: String
    let firesOnce: Bool
    let query: [UInt8]
    let info: [UInt8]?
}

/// The key of changes that differ only by record: same type, zone and reason.
struct SimilarChanges: Hashable {
    let type: Int64
    let zone: Int64
    let reason: Int64

    init(_ change: RecordChange) {
        type = change.type.id
        zone = change.zone
        reason = change.reason.rawValue
    }
}

/// Finds candidates by index, so that other subscriptions cost nothing.
enum SubscriptionCandidates {
    /// Builds the query for similar changes. A row's last column is the candidate's record, or 0 for all records.
    ///
    /// - Parameter fields: the bucket fields of the record type's subscriptions.
    static func statement(
        _ changes: [RecordChange], fields: [Int64], _ spelling: any SQLSpelling
    ) -> (sql: String, values: [SQLValue]) {
        guard let change = changes.first else { return ("SELECT 1 WHERE 1 = 0", []) }
        let isPublic = change.zoneID.owner == ZoneID.publicOwner
        let index = isPublic ? "subscriptions_public" : "subscriptions_private"
        let common = """
            s.kind = 1 AND s.is_paused = 0 AND s.scope = \(isPublic ? 2 : 1) AND s.record_type = ?1 AND s.zone IN (0, ?2)
                AND s.fires_on & ?3 <> 0\(isPublic ? "" : " AND s.user = ?4")
            """
        let columns = "s.id, s.user, s.name, s.fires_once, s.query, s.info"
        // Parameter numbers have no gaps.
        let place = isPublic ? "?4" : "?5"
        let records =
            changes.count == 1 ? "v.id = \(place)" : "v.id IN (SELECT CAST(value AS BIGINT) FROM json_each(\(place)))"
        let selects = fields.map { field in
            if field == 0 {
                return """
                    SELECT \(columns), 0 FROM subscriptions s /*!INDEXED BY \(index)*/
                    WHERE s.bucket_field = 0 AND \(common)
                    """
            }
            let value = spelling.untyped("v.\(SubscriptionBucket.column(of: field))")
            let beginning = spelling.indexPrefix.map { "\($0.of("s.bucket_value")) = \($0.of(value)) AND " } ?? ""
            return """
                SELECT \(columns), v.id
                FROM \(SchemaTables.table(change.type)) v CROSS JOIN subscriptions s /*!INDEXED BY \(index)*/
                WHERE v.zone = ?2 AND \(records) AND s.bucket_field = \(field)
                    AND \(beginning)s.bucket_value = \(value) AND \(common)
                """
        }
        var values: [SQLValue] = [
            .integer(change.type.id), .integer(change.zone), .integer(change.reason.rawValue),
        ]
        if !isPublic { values.append(.text(change.zoneID.owner)) }
        if fields != [0] { values.append(ids(changes)) }
        return (selects.joined(separator: "\nUNION ALL\n"), values)
    }

    private static func ids(_ changes: [RecordChange]) -> SQLValue {
        if changes.count == 1 { return .integer(changes[0].record) }
        return .list(changes.lazy.map(\.record))
    }

    /// - Parameter pays: called with each candidate; returns whether its user's budget allows more.
    /// - Returns: the candidates of each change, in the order of `changes`.
    static func find(
        _ changes: [RecordChange], fields: [Int64], _ db: SQLConnection,
        pays: (SubscriptionCandidate) throws -> Bool
    ) throws -> [[SubscriptionCandidate]] {
        let (sql, values) = statement(changes, fields: fields, db.dialect.spelling)
        var forAll: [SubscriptionCandidate] = []
        var forOne: [Int64: [SubscriptionCandidate]] = [:]
        try db.each(sql, values, isMadeToOrder: true) {
            let candidate = SubscriptionCandidate(
                id: $0.integer(0), user: $0.text(1), name: $0.text(2), firesOnce: $0.integer(3) != 0,
                query: $0.blob(4), info: $0.isNull(5) ? nil : $0.blob(5))
            let record = $0.integer(6)
            if record == 0 { forAll.append(candidate) } else { forOne[record, default: []].append(candidate) }
            return try pays(candidate)
        }
        return changes.map { forAll + (forOne[$0.record] ?? []) }
    }
}
