import CloudModel
import CloudStore

/// Identifies a client by its session or key, and by its `clientId`.
struct LintedName: Hashable, Sendable {
    let container: String
    let environment: ContainerEnvironment
    /// The user record name; nil without a signed-in user.
    let user: String?
    /// The session, API token or key. Compared, never displayed.
    private let credential: String
    /// The `clientId` of the client.
    let clientID: String?

    init(_ identity: Identity, clientID: String?) {
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
struct LintedRecord: Hashable, Sendable {
    let database: DatabaseScope
    let zone: String
    let name: String

    /// The zone name in a request or record.
    static func zone(_ object: JSONObject?) -> String {
        object?["zoneID"]?.object?["zoneName"]?.string ?? ZoneID.defaultName
    }
}
