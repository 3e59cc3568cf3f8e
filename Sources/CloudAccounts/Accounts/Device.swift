package import CloudModel

/// A push token registered in one environment of a container.
package struct Device: Hashable, Sendable {
    /// The token's row in the accounts file.
    package let token: Int64
    /// The user whose messages the device gets, or ``everybody``.
    package let user: String
    /// The client's own name; a client is not told of its own changes.
    package let clientID: String?
    /// The end of the registration; no messages after it.
    package let expires: Timestamp

    package init(token: Int64, user: String, clientID: String?, expires: Timestamp) {
        self.token = token
        self.user = user
        self.clientID = clientID
        self.expires = expires
    }

    /// The user of a device that gets all users' messages, such as an operator's webhook. No user record has this name.
    package static let everybody = "*"
}
