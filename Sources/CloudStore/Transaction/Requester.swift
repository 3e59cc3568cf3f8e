/// The sender of a request that changes something, and their client.
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
