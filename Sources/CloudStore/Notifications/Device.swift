package import CloudModel

/// A push token as it is registered in one environment of a container.
package struct Device: Hashable, Sendable {
    /// The token's row in the accounts file.
    package let token: Int64
    /// The user whose messages it gets, or ``everybody``.
    package let user: String
    /// The name the client gives itself; the client is not told of what it does itself.
    package let clientID: String?
    /// Until when it is told anything.
    package let expires: Timestamp

    package init(token: Int64, user: String, clientID: String?, expires: Timestamp) {
        self.token = token
        self.user = user
        self.clientID = clientID
        self.expires = expires
    }

    /// The user of a device that gets the messages of all users, such as an operator's webhook. No record has the name.
    package static let everybody = "*"
}
