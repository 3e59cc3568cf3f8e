import CloudModel

/// Endpoints under `users/` (reference B §5), one file per endpoint.
package enum UserEndpoints {}

extension DatabaseCall {
    /// The signed-in user's record name.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` without a user.
    func signedInName() throws(ServerError) -> String {
        guard let name = identity.caller.userRecordName else { throw Authenticator.signInNeeded }
        return name
    }

    /// The searching user's record name. Requires the public database, and refuses server-to-server keys
    /// (reference B §1, §4.5).
    func searcherName() throws(ServerError) -> String {
        guard scope == .public else {
            throw .badRequest(
                "BadRequestException: endpoint not applicable in the database type '\(known: scope.rawValue)db'",
                .place(.database))
        }
        if case .serverKey = identity.caller {
            throw ServerError(
                .authenticationFailed, "finding users needs a web auth token; a server-to-server key is not enough",
                .credentials(.notForKeys))
        }
        return try signedInName()
    }
}
