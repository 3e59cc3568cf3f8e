/// The authenticated sender of a request (reference B §3.9, A §12).
package enum Caller: Hashable, Sendable {
    /// An API token without a signed-in user; has the permissions of `_world` in the public database.
    case world
    /// A person with a web auth token.
    case user(recordName: String)
    /// A server-to-server key, which counts as a user with a record name of its own, in the public database.
    case serverKey(recordName: String)
    /// An operator of the server, in the public database; grants do not apply.
    case `operator`

    /// The user record name that an operator's writes in the public database are attributed to.
    package static let operatorName = "_operator"

    /// The user record name for the caller's writes; nil for an anonymous caller.
    package var userRecordName: String? {
        switch self {
        case .world: nil
        case .user(let name), .serverKey(let name): name
        case .operator: Self.operatorName
        }
    }
}
