import CloudModel

/// The endpoints under `users/` (reference B §5), one file per endpoint.
package enum UserEndpoints {}

extension DatabaseCall {
    /// The record name of whoever is signed in.
    ///
    /// - Throws: `AUTHENTICATION_REQUIRED` when nobody is.
    func signedInName() throws(ServerError) -> String {
        guard let name = identity.caller.userRecordName else { throw Authenticator.signInNeeded }
        return name
    }

    /// The record name of the person who looks for others. That is done in the public database, and not by a
    /// server-to-server key (reference B §1, §4.5).
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
