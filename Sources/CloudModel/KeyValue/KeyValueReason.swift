/// The reason for a change of values, as in notifications of `NSUbiquitousKeyValueStore`.
package enum KeyValueReason: String, CaseIterable, Sendable {
    /// The store has changed since the client's last request.
    case serverChange = "SERVER_CHANGE"
    /// The first synchronization, or a restart: all values follow.
    case initialSync = "INITIAL_SYNC"
    /// Like ``serverChange``, with the store over its quota: additions fail until values are removed.
    case quotaViolation = "QUOTA_VIOLATION"
    /// The client has another user's values: all values of this user follow.
    case accountChange = "ACCOUNT_CHANGE"
}
