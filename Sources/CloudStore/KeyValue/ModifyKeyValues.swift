import CloudModel
import CloudSQL

/// Writes the keys of one request, on the writer's queue.
struct ModifyKeyValues: Sendable {
    let request: ModifyKeyValuesRequest
    let tokens: SyncTokens

    func run(_ transaction: WriteTransaction) throws -> ModifyKeyValuesResult {
        let db = transaction.db
        let before = try KeyValueTable.find(user: request.user, db) ?? KeyValueTable.insert(user: request.user, db)
        let seen = try request.changeToken.map { try position(of: $0, db) }
        var store = before
        var overwritten: [KeyValue] = []
        for edit in request.edits {
            let old = try KeyValueTable.value(edit.key, store: store.id, db)
            // Equal values are not written, so that a repeated request changes nothing.
            if old?.body == edit.value?.json { continue }
            if let old, let seen, isNews(old, since: seen.seen) {
                overwritten.append(KeyValue(key: edit.key, json: old.body))
            }
            try write(edit, over: old, &store, transaction)
        }
        try checkQuota(store, before)
        if store != before {
            try forgetRemovals(&store, db)
            try KeyValueTable.update(store, db)
            try transaction.announcer.announceKeyValues(of: request.user)
            transaction.usage.add(bytes: Int(store.bytes - before.bytes), records: 0, owner: request.user)
        }
        return try result(overwritten, seen: seen ?? .nothing, before: before, after: store, db)
    }

    private func position(of token: String, _ db: SQLConnection) throws -> KeyValuePosition {
        guard case .at(let position) = try tokens.keyValuePlace(user: request.user, token, db) else {
            throw ServerError(
                .conflict,
                "changeToken is not from this user's present key-value store; ask for changes first. "
                    + "Nothing was stored", .position(.unknown))
        }
        return position
    }

    private func isNews(_ row: KeyValueRow, since seen: Int64) -> Bool {
        row.position > seen && (request.clientID == nil || row.client != request.clientID)
    }

    private func write(
        _ edit: KeyValueEdit, over old: KeyValueRow?, _ store: inout KeyValueStoreRow, _ transaction: WriteTransaction
    ) throws {
        let row = KeyValueRow(
            position: try transaction.nextPosition(), client: request.clientID,
            bytes: Int64(edit.value?.byteCount ?? 0),
            body: edit.value?.json)
        try KeyValueTable.save(edit.key, row, store: store.id, transaction.db)
        store.position = row.position
        store.bytes += row.bytes - (old?.bytes ?? 0)
        store.keys += (row.body == nil ? 0 : 1) - (old?.body == nil ? 0 : 1)
        store.removed += (row.body == nil ? 1 : 0) - (old != nil && old?.body == nil ? 1 : 0)
    }

    /// A store that exceeds a lowered limit may still shrink.
    private func checkQuota(_ store: KeyValueStoreRow, _ before: KeyValueStoreRow) throws {
        let limits = request.limits
        if store.keys > limits.keyValues.keys && store.keys > before.keys {
            throw ServerError(
                .quotaExceeded,
                "the key-value store would have \(store.keys) keys, at most \(limits.keyValues.keys) are allowed; "
                    + "nothing was stored", .limit(limits.keyValues.keys, "limit.keyValueKeys"))
        }
        if store.bytes > limits.keyValues.storeBytes && store.bytes > before.bytes {
            throw ServerError(
                .quotaExceeded,
                "the key-value store would have \(store.bytes) bytes of values, at most "
                    + "\(limits.keyValues.storeBytes) are allowed; nothing was stored",
                .limit(limits.keyValues.storeBytes, "limit.keyValueStoreBytes"))
        }
    }

    /// Keeps as many removals as the key limit allows. A device that has missed a forgotten removal fetches everything again.
    private func forgetRemovals(_ store: inout KeyValueStoreRow, _ db: SQLConnection) throws {
        let excess = store.removed - Int64(request.limits.keyValues.keys)
        guard excess > 0, let last = try KeyValueTable.forgetRemovals(excess, store: store.id, db) else { return }
        store.floor = last
        store.removed -= excess
    }

    /// The new token includes this write only if the device has seen all earlier changes.
    private func result(
        _ overwritten: [KeyValue], seen: KeyValuePosition, before: KeyValueStoreRow, after: KeyValueStoreRow,
        _ db: SQLConnection
    ) throws -> ModifyKeyValuesResult {
        let missed =
            try seen.isBehind(before)
            || KeyValueTable.hasChanges(after: seen.seen, upTo: before.position, store: before.id, db)
        return ModifyKeyValuesResult(
            changeToken: try tokens.keyValues(
                user: request.user, at: missed ? seen : KeyValuePosition(endOf: after), db),
            overwritten: overwritten, moreComing: missed)
    }
}
