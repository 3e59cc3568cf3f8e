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
