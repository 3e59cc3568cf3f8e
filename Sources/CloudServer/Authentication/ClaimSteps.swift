import CloudModel

extension RequestTrace {
    /// Notes the credentials that let a request into a database.
    func note(_ claim: Authenticator.Claim, of scope: DatabaseScope) {
        for step in claim.steps(in: scope) { note(step) }
        note(user: claim.user)
    }
}
