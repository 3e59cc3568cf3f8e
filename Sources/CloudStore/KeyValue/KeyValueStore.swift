package import CloudModel
import CloudSQL

/// Users' key-value stores, separate from records.
package struct KeyValueStore: Sendable {
    let stored: StoredEnvironment

    /// Sets and removes keys, all or none; the last write to a key wins.
    ///
    /// - Throws: `QUOTA_EXCEEDED` if the store would grow beyond a limit; `CONFLICT` for a token of another user's or another
    ///   state's store. Nothing is stored then.
    package func modify(_ request: ModifyKeyValuesRequest) async throws -> ModifyKeyValuesResult {
        let requester = Requester(user: request.user, clientID: request.clientID)
        let context = WriteContext(requester, now: stored.now(), limits: request.limits)
        let run = ModifyKeyValues(request: request, tokens: stored.tokens)
        return try await stored.writes.write(for: context) { try run.run($0) }
    }

    /// A page of changes since a token, or of all values without a token; oldest change first.
    package func changes(_ request: KeyValueChangesRequest) async throws -> KeyValuePage {
        let tokens = stored.tokens
        return try await stored.reads.read { db in try request.run(db, tokens: tokens) }
    }

    /// All values of a user, sorted by the bytes of their keys.
    package func all(user: String) async throws -> KeyValues {
        let tokens = stored.tokens
        return try await stored.reads.read { db in try KeyValues.all(user: user, tokens: tokens, db) }
    }
}

/// A key with its value as JSON; the value of a removed key is nil.
package struct KeyValue: Hashable, Sendable {
    package let key: String
    package let json: [UInt8]?
}

/// Changes from a user's device.
package struct ModifyKeyValuesRequest: Sendable {
    package let user: String
    /// Edits of distinct keys.
    package let edits: [KeyValueEdit]
    /// The device's token, by which the result lists overwritten values that the device has not seen.
    package let changeToken: String?
    /// The device's own name; the device gets no news of its own changes, and overwrites them silently.
    package let clientID: String?
    package let limits: Limits

    package init(user: String, edits: [KeyValueEdit], changeToken: String?, clientID: String?, limits: Limits) {
        self.user = user
        self.edits = edits
        self.changeToken = changeToken
        self.clientID = clientID
        self.limits = limits
    }
}

package struct ModifyKeyValuesResult: Hashable, Sendable {
    /// The token for the device's next request for changes.
    package let changeToken: String
    /// Values later than the request's token that this write has replaced.
    package let overwritten: [KeyValue]
    /// True if earlier changes exist that the device has not seen.
    package let moreComing: Bool
}

package struct KeyValueChangesRequest: Sendable {
    package let user: String
    package let changeToken: String?
    /// The largest number of keys on a page.
    package let limit: Int
    package let limits: Limits

    package init(user: String, changeToken: String?, limit: Int, limits: Limits) {
        self.user = user
        self.changeToken = changeToken
        self.limit = limit
        self.limits = limits
    }
}

package struct KeyValuePage: Hashable, Sendable {
    /// Changed keys, each in its latest state.
    package let changes: [KeyValue]
    /// The reason for the changes. Clients keep the first page's reason for all pages of an answer.
    package let reason: KeyValueReason
    package let changeToken: String
    package let moreComing: Bool
}

package struct KeyValues: Hashable, Sendable {
    package let values: [KeyValue]
    package let changeToken: String
}
