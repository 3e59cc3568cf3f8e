package import CloudModel

extension RequestTrace {
    /// Notes the credentials with which a request entered a database.
    package func note(_ claim: Authenticator.Claim, of scope: DatabaseScope) {
        note(claim.steps(in: scope), by: claim.user)
    }
}
