import CloudModel
package import CloudSQL

/// The row of a user's store.
package struct KeyValueStoreRow: Hashable, Sendable {
    package var id: Int64
    /// The position of the last change; 0 without changes.
    package var position: Int64 = 0
    /// The position of the last forgotten removal; devices with an older token may still have removed keys.
    var floor = KeyValuePosition.nothing.seen
    package var bytes: Int64 = 0
    package var keys: Int64 = 0
    var removed: Int64 = 0
}

/// The row of a key.
package struct KeyValueRow: Hashable, Sendable {
    package let position: Int64
    let client: String?
    package let bytes: Int64
    /// Nil for a removed key.
    let body: [UInt8]?

    package init(position: Int64, client: String?, bytes: Int64, body: [UInt8]?) {
        self.position = position
        self.client = client
        self.bytes = bytes
        self.body = body
    }
}

package enum KeyValueTable {
    package static func find(user: String, _ db: SQLConnection) throws -> KeyValueStoreRow? {
        try db.first(
            "SELECT id, position, floor, bytes, keys, removed FROM key_value_stores WHERE \"user\" = ?", .text(user)
        ) {
            KeyValueStoreRow(
                id: $0.integer(0), position: $0.integer(1), floor: $0.integer(2), bytes: $0.integer(3),
                keys: $0.integer(4), removed: $0.integer(5))
        }
    }

    package static func insert(user: String, _ db: SQLConnection) throws -> KeyValueStoreRow {
        let row = KeyValueStoreRow(id: 0)
        let id = try db.insert(
            """
            INSERT INTO key_value_stores ("user", position, floor, bytes, keys, removed)
            VALUES (?, ?, ?, ?, ?, ?) RETURNING id
            """, .text(user), .integer(row.position), .integer(row.floor), .integer(row.bytes), .integer(row.keys),
            .integer(row.removed))
        return KeyValueStoreRow(id: id)
    }

    package static func update(_ row: KeyValueStoreRow, _ db: SQLConnection) throws {
        try db.run(
            """
            UPDATE key_value_stores SET position = ?, floor = ?, bytes = ?, keys = ?, removed = ? WHERE id = ?
            """, .integer(row.position), .integer(row.floor), .integer(row.bytes), .integer(row.keys),
            .integer(row.removed), .integer(row.id))
    }

    package static func value(_ key: String, store: Int64, _ db: SQLConnection) throws -> KeyValueRow? {
        try db.first(
            "SELECT position, client, bytes, body FROM key_values WHERE store = ? AND key = ?", .integer(store),
            .text(key)
        ) {
            KeyValueRow(
                position: $0.integer(0), client: $0.isNull(1) ? nil : $0.text(1), bytes: $0.integer(2),
                body: $0.isNull(3) ? nil : $0.blob(3))
        }
    }

    package static func save(_ key: String, _ row: KeyValueRow, store: Int64, _ db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO key_values (store, key, position, client, bytes, body) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (store, key) DO UPDATE SET
                position = excluded.position, client = excluded.client, bytes = excluded.bytes, body = excluded.body
            """, .integer(store), .text(key), .integer(row.position), .text(optional: row.client), .integer(row.bytes),
            row.body.map(SQLValue.blob) ?? .null)
    }

    /// Returns true if a key was last changed after `seen`, up to and including `reached`.
    static func hasChanges(after seen: Int64, upTo reached: Int64, store: Int64, _ db: SQLConnection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM key_values WHERE store = ? AND position > ? AND position <= ? LIMIT 1", .integer(store),
            .integer(seen), .integer(reached)
        ) { _ in true } ?? false
    }

    /// Deletes the rows of the oldest removals.
    ///
    /// - Returns: the position of the last deleted row.
    static func forgetRemovals(_ count: Int64, store: Int64, _ db: SQLConnection) throws -> Int64? {
        let last = try db.first(
            "SELECT position FROM key_values WHERE store = ? AND body IS NULL ORDER BY position LIMIT 1 OFFSET ?",
            .integer(store), .integer(count - 1)
        ) { $0.integer(0) }
        guard let last else { return nil }
        try db.run(
            "DELETE FROM key_values WHERE store = ? AND body IS NULL AND position <= ?", .integer(store),
            .integer(last))
        return last
    }
}
