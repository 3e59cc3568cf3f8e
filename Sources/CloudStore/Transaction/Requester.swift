/// The user and client of a write request.
package struct Requester: Hashable, Sendable {
    /// User record name; nil for a caller without sign-in.
    package let user: String?
    /// The request's `clientId` (reference B §10.1).
    package let clientID: String?

    package init(user: String?, clientID: String? = nil) {
        self.user = user
        self.clientID = clientID
    }
}
