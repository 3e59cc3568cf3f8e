import CloudAccounts
package import CloudWire
package import CloudModel

/// Identifies a client by its session or key, and by its `clientId`.
package struct LintedName: Hashable, Sendable {
    package let container: String
    package let environment: ContainerEnvironment
    /// The user record name; nil without a signed-in user.
    package let user: String?
    /// The session, API token or key. Compared, never displayed.
    private let credential: String
    /// The `clientId` of the client.
    package let clientID: String?

    package init(_ identity: Identity, clientID: String?) {
        container = identity.container.name
        environment = identity.environment
        user = identity.caller.userRecordName
        credential = identity.rotatedToken ?? identity.credentialName
        self.clientID = clientID
    }

    /// Whether both names have the same session or key, regardless of `clientId`.
    func isSameSession(as other: LintedName) -> Bool {
        container == other.container && environment == other.environment && credential == other.credential
    }
}

/// A record as named in requests.
package struct LintedRecord: Hashable, Sendable {
    package let database: DatabaseScope
    package let zone: String
    package let name: String

    /// The zone name in a request or record.
    package static func zone(_ object: JSONObject?) -> String {
        object?["zoneID"]?.object?["zoneName"]?.string ?? ZoneID.defaultName
    }
}
