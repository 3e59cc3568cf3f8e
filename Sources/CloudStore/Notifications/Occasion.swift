import CloudModel

/// Whose request brings changes, for those who are told of them.
struct Occasion: Sendable {
    let user: String?
    /// What the client that sent the request calls itself.
    let clientID: String?
    /// Milliseconds since 1970-01-01Z.
    let now: Int64
    /// Messages that may wait for one device.
    let mostQueued: Int

    init(_ requester: Requester, now: Int64, limits: Limits) {
        user = requester.user
        clientID = requester.clientID
        self.now = now
        mostQueued = limits.notificationsPerToken
    }
}

/// Who sends a request that changes something, and by which client of theirs.
package struct Requester: Hashable, Sendable {
    /// User record name; nil for a caller who has not signed in.
    package let user: String?
    /// The request's `clientId` (reference B §10.1).
    package let clientID: String?

    package init(user: String?, clientID: String? = nil) {
        self.user = user
        self.clientID = clientID
    }
}
