/// The reason why a client hears of values, as `NSUbiquitousKeyValueStore` tells its apps.
package enum KeyValueReason: String, CaseIterable, Sendable {
    /// Somebody changed something since the client looked last.
    case serverChange = "SERVER_CHANGE"
    /// The client begins, or has to begin anew: everything follows.
    case initialSync = "INITIAL_SYNC"
    /// As ``serverChange``, and more is stored than allowed now: nothing can be added until something is removed.
    case quotaViolation = "QUOTA_VIOLATION"
    /// The client knows another user's values: everything of this user's follows.
    case accountChange = "ACCOUNT_CHANGE"
}
