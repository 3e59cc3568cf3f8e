import CloudModel
import CloudSQL

extension KeyValueChangesRequest {
    func run(_ db: SQLConnection, tokens: SyncTokens) throws -> KeyValuePage {
        let store = try KeyValueTable.find(user: user, db) ?? KeyValueStoreRow(id: 0)
        let (seen, reason) = try start(store, tokens, db)
        let page = try page(after: seen, of: store, db)
        let start = seen == .nothing ? store.position : seen.start
        let reached = page.more ? KeyValuePosition(seen: page.last, start: start) : KeyValuePosition(endOf: store)
        return KeyValuePage(
            changes: page.changes, reason: reason, changeToken: try tokens.keyValues(user: user, at: reached, db),
            moreComing: page.more)
    }

    private func start(
        _ store: KeyValueStoreRow, _ tokens: SyncTokens, _ db: SQLConnection
    ) throws -> (seen: KeyValuePosition, reason: KeyValueReason) {
        guard let changeToken else { return (.nothing, .initialSync) }
        switch try tokens.keyValuePlace(user: user, changeToken, db) {
        case .anotherUser: return (.nothing, .accountChange)
        case .unknown: return (.nothing, .initialSync)
        case .at(let position) where position == .nothing || position.isBehind(store): return (.nothing, .initialSync)
        case .at(let position): return (position, isOverQuota(store) ? .quotaViolation : .serverChange)
        }
    }

    private func isOverQuota(_ store: KeyValueStoreRow) -> Bool {
        store.keys > limits.keyValues.keys || store.bytes > limits.keyValues.storeBytes
    }

    private func page(
        after seen: KeyValuePosition, of store: KeyValueStoreRow, _ db: SQLConnection
    ) throws -> (changes: [KeyValue], last: Int64, more: Bool) {
        // A device without values needs no removals.
        let liveOnly = seen == .nothing ? "AND body IS NOT NULL" : ""
        var changes: [KeyValue] = []
        var last = seen.seen
        var more = false
        try db.each(
            "SELECT position, key, body FROM key_values WHERE store = ? AND position > ? \(liveOnly) ORDER BY position",
            [.integer(store.id), .integer(seen.seen)]
        ) { row in
            if changes.count == limit {
                more = true
                return false
            }
            last = row.integer(0)
            changes.append(KeyValue(key: row.text(1), json: row.isNull(2) ? nil : row.blob(2)))
            return true
        }
        return (changes, last, more)
    }
}

extension KeyValues {
    static func all(user: String, tokens: SyncTokens, _ db: SQLConnection) throws -> KeyValues {
        let store = try KeyValueTable.find(user: user, db) ?? KeyValueStoreRow(id: 0)
        var values: [KeyValue] = []
        try db.each(
            "SELECT key, body FROM key_values WHERE store = ? AND body IS NOT NULL ORDER BY key", [.integer(store.id)]
        ) { row in
            values.append(KeyValue(key: row.text(0), json: row.blob(1)))
            return true
        }
        return KeyValues(
            values: values, changeToken: try tokens.keyValues(user: user, at: KeyValuePosition(endOf: store), db))
    }
}
