import CloudModel

extension RequestTrace {
    /// Notes the credentials that let a request into a database.
    func note(_ claim: Authenticator.Claim, of scope: DatabaseScope) {
        note(claim.steps(in: scope), by: claim.user)
    }
}
