/// The authenticated sender of a request (reference B §3.9, A §12).
package enum Caller: Hashable, Sendable {
    /// An API token without a signed-in user; has the permissions of `_world` in the public database.
    case world
    /// A person with a web auth token.
    case user(recordName: String)
    /// A server-to-server key: acts in the public database, under its own user record name.
    case serverKey(recordName: String)
    /// An operator of the server, in the public database; grants do not apply.
    case `operator`

    /// The recorded author of operators' writes in the public database.
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
