package import CloudModel

/// The values each user keeps under keys of their own, beside the records.
package protocol KeyValueStore: Sendable {
    /// Sets and removes keys, all or nothing; of two writes to a key the later one stands.
    ///
    /// - Throws: `QUOTA_EXCEEDED` when the store would grow past a limit; `CONFLICT` for a token that says nothing
    ///   about this user's store as it is now. Nothing is stored then.
    func modify(_ request: ModifyKeyValuesRequest) async throws -> ModifyKeyValuesResult

    /// A page of what changed since a token, or of everything, oldest change first.
    func keyValueChanges(_ request: KeyValueChangesRequest) async throws -> KeyValuePage

    /// Everything a user has stored, in the order of the keys' bytes.
    func keyValues(user: String) async throws -> KeyValues
}

/// A key and its value as responses show it, nil where it is removed.
package struct KeyValue: Hashable, Sendable {
    package let key: String
    package let json: [UInt8]?
}

/// The changes that one user's device wants.
package struct ModifyKeyValuesRequest: Sendable {
    package let user: String
    /// Each key once.
    package let edits: [KeyValueEdit]
    /// The token of what the device has seen of the store, to be told what it overwrites.
    package let changeToken: String?
    /// The name the device gives itself: it is told neither of its own changes nor of overwriting them.
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
    /// The token that the device's next question for changes begins at.
    package let changeToken: String
    /// The values that stood in place of this write and came after the request's token.
    package let overwritten: [KeyValue]
    /// True if there are changes before this one that the device has not seen.
    package let moreComing: Bool
}

package struct KeyValueChangesRequest: Sendable {
    package let user: String
    package let changeToken: String?
    /// Keys on a page.
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
    /// Each changed key once, in its latest state.
    package let changes: [KeyValue]
    /// Of the pages of one answer, the first one's reason is that of all.
    package let reason: KeyValueReason
    package let changeToken: String
    package let moreComing: Bool
}

package struct KeyValues: Hashable, Sendable {
    package let values: [KeyValue]
    package let changeToken: String
}
