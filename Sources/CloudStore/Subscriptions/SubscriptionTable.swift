import CloudModel
import CloudSQL

/// A subscription with its lookup columns.
package struct SubscriptionRow {
    let user: String
    let scope: DatabaseScope
    let name: String
    let kind: SubscriptionKind
    /// 0 for all zones.
    let zone: Int64
    /// 0 without a query.
    let recordType: Int64
    let firesOn: FiringReasons
    let firesOnce: Bool
    let bucket: SubscriptionBucket
    let query: [UInt8]?
    let info: [UInt8]?
    let body: [UInt8]
}

package enum SubscriptionTable {
    static func list(user: String, scope: DatabaseScope, _ db: SQLConnection) throws -> [[UInt8]] {
        var bodies: [[UInt8]] = []
        try db.each(
            "SELECT body FROM subscriptions WHERE \"user\" = ? AND scope = ? ORDER BY name",
            [.text(user), .integer(scope.number)]
        ) {
            bodies.append($0.blob(0))
            return true
        }
        return bodies
    }

    static func body(_ name: String, user: String, scope: DatabaseScope, _ db: SQLConnection) throws -> [UInt8]? {
        if name.hasNullCharacter { return nil }
        return try db.first(
            "SELECT body FROM subscriptions WHERE \"user\" = ? AND scope = ? AND name = ?",
            .text(user), .integer(scope.number), .text(name)
        ) { $0.blob(0) }
    }

    /// The number of a user's subscriptions in a database.
    static func count(user: String, scope: DatabaseScope, _ db: SQLConnection) throws -> Int {
        try db.first(
            "SELECT count(*) FROM subscriptions WHERE \"user\" = ? AND scope = ?", .text(user), .integer(scope.number)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The number of the user's other subscriptions in the same database, record type and bucket.
    static func count(besides row: SubscriptionRow, _ db: SQLConnection) throws -> Int {
        try db.first(
            """
            SELECT count(*) FROM subscriptions
            WHERE "user" = ? AND scope = ? AND name <> ? AND kind = 1 AND record_type = ? AND bucket_field = ?
                AND bucket_value IS NOT DISTINCT FROM ?
            """,
            .text(row.user), .integer(row.scope.number), .text(row.name), .integer(row.recordType),
            .integer(row.bucket.field), row.bucket.value
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The bucket fields of a user's subscriptions to a record type.
    static func bucketFields(user: String, scope: DatabaseScope, type: Int64, _ db: SQLConnection) throws -> Set<Int64>
    {
        var fields: Set<Int64> = []
        try db.each(
            """
            SELECT DISTINCT bucket_field FROM subscriptions
            WHERE "user" = ? AND scope = ? AND record_type = ? AND kind = 1 AND bucket_field <> 0
            """, [.text(user), .integer(scope.number), .integer(type)]
        ) {
            fields.insert($0.integer(0))
            return true
        }
        return fields
    }

    /// Returns true if the user has another query subscription with the same record type and `firesOn`.
    static func hasTwin(of row: SubscriptionRow, _ db: SQLConnection) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM subscriptions
            WHERE "user" = ? AND scope = ? AND kind = 1 AND record_type = ? AND fires_on = ? AND name <> ?
            """,
            .text(row.user), .integer(row.scope.number), .integer(row.recordType), .integer(row.firesOn.rawValue),
            .text(row.name)
        ) { _ in true } ?? false
    }

    package static func insert(_ row: SubscriptionRow, _ transaction: WriteTransaction) throws {
        let isPaused = transaction.subscribers.paused.contains(row.user)
        try transaction.db.run(
            """
            INSERT INTO subscriptions (
                "user", scope, name, kind, zone, record_type, fires_on, fires_once, bucket_field, bucket_value, query,
                info, body, is_paused)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(row.user), .integer(row.scope.number), .text(row.name), .integer(row.kind.rawValue),
            .integer(row.zone), .integer(row.recordType), .integer(row.firesOn.rawValue),
            .integer(row.firesOnce ? 1 : 0), .integer(row.bucket.field), row.bucket.value,
            row.query.map(SQLValue.blob) ?? .null, row.info.map(SQLValue.blob) ?? .null, .blob(row.body),
            .integer(isPaused ? 1 : 0))
        if !isPaused { transaction.subscribers.watched.add(row.kind, type: row.recordType, field: row.bucket.field) }
    }

    /// Pauses or resumes a user's subscriptions.
    static func setPaused(_ isPaused: Bool, user: String, _ transaction: WriteTransaction) throws {
        try transaction.db.each(
            "UPDATE subscriptions SET is_paused = ?1 WHERE \"user\" = ?2 AND is_paused <> ?1 "
                + "RETURNING kind, record_type, bucket_field",
            [.integer(isPaused ? 1 : 0), .text(user)]
        ) {
            guard let kind = SubscriptionKind(rawValue: $0.integer(0)) else { return true }
            if isPaused {
                transaction.subscribers.watched.remove(kind, type: $0.integer(1), field: $0.integer(2))
            } else {
                transaction.subscribers.watched.add(kind, type: $0.integer(1), field: $0.integer(2))
            }
            return true
        }
    }

    /// - Returns: whether a subscription was deleted.
    @discardableResult
    static func delete(
        _ name: String, user: String, scope: DatabaseScope, _ transaction: WriteTransaction
    ) throws -> Bool {
        if name.hasNullCharacter { return false }
        return try delete(
            "\"user\" = ? AND scope = ? AND name = ?", [.text(user), .integer(scope.number), .text(name)], transaction)
    }

    /// Deletes a user's subscriptions and pause.
    package static func delete(user: String, _ transaction: WriteTransaction) throws {
        try delete("\"user\" = ?", [.text(user)], transaction)
        try transaction.db.run("DELETE FROM subscription_pauses WHERE \"user\" = ?", .text(user))
        transaction.subscribers.removePause(of: user)
    }

    static func delete(id: Int64, _ transaction: WriteTransaction) throws {
        try delete("id = ?", [.integer(id)], transaction)
    }

    /// Deletes the subscriptions to a zone.
    static func delete(zone: Int64, _ transaction: WriteTransaction) throws {
        try delete("zone = ? AND zone <> 0", [.integer(zone)], transaction)
    }

    /// Deletes the query subscriptions to a record type.
    static func delete(type: Int64, _ transaction: WriteTransaction) throws {
        try delete("record_type = ? AND kind = 1", [.integer(type)], transaction)
    }

    static func deleteAll(_ transaction: WriteTransaction) throws { try delete("1 = 1", [], transaction) }

    /// Takes subscriptions out of a removed field's bucket: they are found by type alone, and match no record.
    static func leaveBucket(of field: FieldDefinition, type: Int64, _ transaction: WriteTransaction) throws {
        try transaction.db.each(
            """
            UPDATE subscriptions SET bucket_field = 0, bucket_value = NULL
            WHERE record_type = ? AND bucket_field = ? AND kind = 1 RETURNING is_paused
            """, [.integer(type), .integer(field.id)]
        ) {
            if $0.integer(0) != 0 { return true }
            transaction.subscribers.watched.remove(.query, type: type, field: field.id)
            transaction.subscribers.watched.add(.query, type: type, field: 0)
            return true
        }
    }

    @discardableResult
    private static func delete(
        _ condition: String, _ values: [SQLValue], _ transaction: WriteTransaction
    ) throws -> Bool {
        var isFound = false
        try transaction.db.each(
            "DELETE FROM subscriptions WHERE \(condition) RETURNING kind, record_type, bucket_field, is_paused", values
        ) {
            isFound = true
            if $0.integer(3) == 0, let kind = SubscriptionKind(rawValue: $0.integer(0)) {
                transaction.subscribers.watched.remove(kind, type: $0.integer(1), field: $0.integer(2))
            }
            return true
        }
        return isFound
    }
}
