import CloudModel
import CloudStore

/// Tells clients apart: by their session or key, and by the name that they give themselves.
struct LintedName: Hashable, Sendable {
    let container: String
    let environment: ContainerEnvironment
    /// The user record name; nil where nobody is signed in.
    let user: String?
    /// Of the session, the API token or the key. It is compared and never shown.
    private let credential: String
    /// The name that the client gives itself.
    let clientID: String?

    init(_ identity: Identity, clientID: String?) {
        container = identity.container.name
        environment = identity.environment
        user = identity.caller.userRecordName
        credential = identity.rotatedToken ?? identity.credentialName
        self.clientID = clientID
    }

    /// Whether both are the same session or key, whatever they call themselves.
    func isSameSession(as other: LintedName) -> Bool {
        container == other.container && environment == other.environment && credential == other.credential
    }
}

/// A record as a client names it.
struct LintedRecord: Hashable, Sendable {
    let database: DatabaseScope
    let zone: String
    let name: String

    /// The name of the zone that a request or a record names.
    static func zone(_ object: JSONObject?) -> String {
        object?["zoneID"]?.object?["zoneName"]?.string ?? ZoneID.defaultName
    }
}
